import type { ComponentType } from "preact";
import type { PageKey } from "./address/pages.ts";

/** A page's module: its component is the default export. */
export type PageModule = Promise<{ readonly default: ComponentType }>;

/** Loads the module of each page; `address/pages.ts` has their paths. */
export const pages: Readonly<Record<PageKey, () => PageModule>> = {
  overview: () => import("./overview/page.tsx"),
  issues: () => import("./issues/page.tsx"),
  issue: () => import("./issue/page.tsx"),
  nodes: () => import("./nodes/page.tsx"),
  node: () => import("./node/page.tsx"),
  graph: () => import("./graph/page.tsx"),
  reports: () => import("./reports/page.tsx"),
  report: () => import("./report/page.tsx"),
  runs: () => import("./runs/page.tsx"),
  events: () => import("./events/page.tsx"),
  facts: () => import("./facts/page.tsx"),
  fact: () => import("./fact/page.tsx"),
  resources: () => import("./resources/page.tsx"),
  resource: () => import("./resource/page.tsx"),
  classes: () => import("./classes/page.tsx"),
  packages: () => import("./packages/page.tsx"),
  package: () => import("./package/page.tsx"),
  compare: () => import("./compare/page.tsx"),
  query: () => import("./query/page.tsx"),
  search: () => import("./search/page.tsx"),
  wall: () => import("./wall/page.tsx"),
  status: () => import("./status/page.tsx"),
  help: () => import("./help/page.tsx"),
};
