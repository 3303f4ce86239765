/** Paths of all pages by key, in the order of the menu. `frame/app.tsx` says which module shows each. */
export const paths = {
  overview: "/explorer",
  issues: "/explorer/issues",
  issue: "/explorer/issues/:id",
  nodes: "/explorer/nodes",
  node: "/explorer/nodes/:certname/:tab?",
  graph: "/explorer/graph/:certname",
  reports: "/explorer/reports",
  report: "/explorer/reports/:hash",
  runs: "/explorer/runs",
  "run-times": "/explorer/run-times",
  events: "/explorer/events",
  facts: "/explorer/facts",
  fact: "/explorer/fact",
  resources: "/explorer/resources",
  resource: "/explorer/resource",
  classes: "/explorer/classes",
  packages: "/explorer/packages",
  package: "/explorer/package",
  compare: "/explorer/compare",
  query: "/explorer/query",
  search: "/explorer/search",
  wall: "/explorer/wall",
  status: "/explorer/status",
  help: "/explorer/help",
} as const;

export type PageKey = keyof typeof paths;
