import type { ParameterRules } from "../query/parameters.ts";
import type { ParentKind } from "#storage/query/parents.ts";
import type { ReportDocument } from "#storage/query/report-document.ts";

/** Where the query API is mounted. */
export const queryRoot = "/pdb/query/v4";

/**
 * A route below `/pdb/query/v4` as data (`reference/query.md §3`). `:name` is one path segment; `restrict` is the field that
 * a segment fixes.
 */
export type QueryRoute = ListRoute | SingleRoute | DocumentRoute | RootRoute | CountsRoute;

interface RouteBase {
  readonly path: string;
  readonly rules: ParameterRules;
  /** What must exist, else 404, in the order in which it is checked. */
  readonly parents?: readonly Parent[];
}

/** Something that a route is below. */
export interface Parent {
  readonly kind: ParentKind;
  readonly segment: string;
  /** It is checked before the parameters are read. */
  readonly first: boolean;
}

/** Rows of an entity. */
export interface ListRoute extends RouteBase {
  readonly kind: "list";
  readonly entity: string;
  readonly activeOnly: boolean;
  /** Field → the segment that it must equal. */
  readonly restrict: Readonly<Record<string, string>>;
  /** Order of requests without `order_by`. */
  readonly defaultOrder?: string;
}

/** One row of an entity as an object; 404 when there is none. */
export interface SingleRoute extends RouteBase {
  readonly kind: "single";
  readonly entity: string;
  readonly what: ParentKind;
  readonly restrict: Readonly<Record<string, string>>;
}

/** A report's logs or metrics. */
export interface DocumentRoute extends RouteBase {
  readonly kind: "document";
  readonly part: ReportDocument;
}

/** The endpoint whose query names the entity. */
export interface RootRoute extends RouteBase {
  readonly kind: "root";
}

/** Counts of events. */
export interface CountsRoute extends RouteBase {
  readonly kind: "counts" | "aggregate-counts";
}

const list: ParameterRules = { query: "optional", paging: true };
const single: ParameterRules = { query: "refused", paging: false };

interface Below {
  path: string;
  entity: string;
  restrict?: Readonly<Record<string, string>>;
  activeOnly?: boolean;
}

/** An entity's list and the narrower lists below it, one per further segment. */
function narrowing(
  path: string,
  entity: string,
  fields: readonly [field: string, segment: string][],
  activeOnly = true,
): Below[] {
  return fields.reduce<Below[]>(
    (routes, [field, segment]) => {
      const above = routes.at(-1);
      return [
        ...routes,
        { path: `${above?.path}/:${segment}`, entity, activeOnly, restrict: { ...above?.restrict, [field]: segment } },
      ];
    },
    [{ path, entity, activeOnly }],
  );
}

const factLists = narrowing("facts", "facts", [
  ["name", "fact"],
  ["value", "value"],
]);
const resourceLists = narrowing("resources", "resources", [
  ["type", "type"],
  ["title", "title"],
]);

/** Lists below a thing that must exist: `/nodes/:node/facts` and the like. */
function below(prefix: string, parent: Parent, field: string, routes: readonly Below[]): ListRoute[] {
  return routes.map(({ path, entity, restrict = {}, activeOnly = true }) => ({
    kind: "list",
    path: `${prefix}/${path}`,
    rules: list,
    entity,
    activeOnly,
    restrict: { [field]: parent.segment, ...restrict },
    parents: [parent],
  }));
}

function plain(path: string, entity: string, activeOnly: boolean, more: Partial<ListRoute> = {}): ListRoute {
  return { kind: "list", path, rules: list, entity, activeOnly, restrict: {}, ...more };
}

const node = { kind: "node", segment: "node", first: false } as const;
const catalog = { kind: "catalog", segment: "node", first: false } as const;
const factset = { kind: "factset", segment: "certname", first: false } as const;
const report = { kind: "report", segment: "hash", first: true } as const;
const environment = { kind: "environment", segment: "environment", first: true } as const;
const producer = { kind: "producer", segment: "producer", first: true } as const;

const reportParts: readonly QueryRoute[] = [
  ...(["logs", "metrics", "resources"] as const).map((part): DocumentRoute => ({
    kind: "document",
    path: `reports/:hash/${part}`,
    rules: single,
    part,
    parents: [{ ...report, first: false }],
  })),
  plain("reports/:hash/events", "events", false, { restrict: { report: "hash" }, parents: [report] }),
];

/** The same below an environment: it must exist, and events must be of it. */
const reportPartsOfEnvironment: readonly QueryRoute[] = reportParts.map((route) => ({
  ...route,
  path: `environments/:environment/${route.path}`,
  parents: [environment, { ...report, first: false }],
  ...(route.kind === "list" ? { restrict: { ...route.restrict, environment: "environment" } } : {}),
}));

const events: ParameterRules = { ...list, distinct: true };

export const queryRoutes: readonly QueryRoute[] = [
  { kind: "root", path: "", rules: { query: "required", paging: true, pql: true, astOnly: true } },

  plain("nodes", "nodes", true),
  {
    kind: "single",
    path: "nodes/:node",
    rules: list,
    entity: "nodes",
    what: "node",
    restrict: { certname: "node" },
  },
  ...below("nodes/:node", node, "certname", [...factLists, ...resourceLists]),

  ...factLists.map((route) => plain(route.path, "facts", true, { restrict: route.restrict ?? {} })),
  plain("fact-names", "fact_names", false, { defaultOrder: "name" }),
  plain("fact-paths", "fact_paths", false),
  plain("fact-contents", "fact_contents", true),
  plain("factsets", "factsets", true),
  {
    kind: "single",
    path: "factsets/:certname",
    rules: list,
    entity: "factsets",
    what: "factset",
    restrict: { certname: "certname" },
  },
  ...below("factsets/:certname", factset, "certname", [{ path: "facts", entity: "factsets", activeOnly: false }]),
  plain("inventory", "inventory", true),

  plain("catalogs", "catalogs", false),
  {
    kind: "single",
    path: "catalogs/:node",
    rules: list,
    entity: "catalogs",
    what: "catalog",
    restrict: { certname: "node" },
  },
  // PuppetDB returns the edges of every active node here; Census returns those of the node, as documented.
  ...below("catalogs/:node", catalog, "certname", [{ path: "edges", entity: "edges" }, ...resourceLists]),
  plain("catalog-inputs", "catalog_inputs", true),
  plain("catalog-input-contents", "catalog_input_contents", true),
  ...resourceLists.map((route) => plain(route.path, "resources", true, { restrict: route.restrict ?? {} })),
  plain("edges", "edges", true),

  plain("environments", "environments", false),
  {
    kind: "single",
    path: "environments/:environment",
    rules: single,
    entity: "environments",
    what: "environment",
    restrict: { name: "environment" },
  },
  ...below("environments/:environment", environment, "environment", [
    ...factLists,
    ...resourceLists,
    { path: "reports", entity: "reports", activeOnly: false },
    { path: "events", entity: "events", activeOnly: false },
  ]).map((route) => (route.entity === "events" ? { ...route, rules: events } : route)),
  plain("producers", "producers", false),
  {
    kind: "single",
    path: "producers/:producer",
    rules: single,
    entity: "producers",
    what: "producer",
    restrict: { name: "producer" },
  },
  ...below("producers/:producer", producer, "producer", [
    { path: "factsets", entity: "factsets" },
    { path: "catalogs", entity: "catalogs", activeOnly: false },
    { path: "reports", entity: "reports", activeOnly: false },
  ]),

  plain("packages", "packages", false),
  plain("package-inventory", "package_inventory", true),
  plain("package-inventory/:certname", "package_inventory", false, { restrict: { certname: "certname" } }),

  plain("reports", "reports", false),
  ...reportParts,
  ...reportPartsOfEnvironment,
  plain("events", "events", false, { rules: events }),
  { kind: "counts", path: "event-counts", rules: { ...events, counts: true } },
  {
    kind: "aggregate-counts",
    path: "aggregate-event-counts",
    rules: { query: "optional", paging: false, pretty: false, distinct: true, counts: true },
  },
];
