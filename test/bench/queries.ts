import { makeNode } from "#fixtures/node.ts";
import type { EntityTarget } from "#storage/query/query.ts";
import { SEED } from "./population.ts";

/** A query as data, out of which both the request and the plan are made (`query-request.ts`). */
export interface BenchQuery {
  readonly name: string;
  readonly shows: string;
  /** below the query API's root */
  readonly path: string;
  /** a name for the path */
  readonly of: EntityTarget | "root" | "counts of events";
  /** PQL at the root, elsewhere the text of an AST */
  readonly query?: string;
  readonly orderBy?: readonly { readonly field: string; readonly descending: boolean }[];
  readonly limit?: number;
  readonly offset?: number;
  readonly includeTotal?: boolean;
  readonly summarizeBy?: string;
}

/** The first node has everything a node can have. */
const { certname } = makeNode(SEED, 0, 0);

function active(entity: string, restrictions: Readonly<Record<string, string>> = {}): EntityTarget {
  return { entity, activeOnly: true, restrictions };
}

function known(entity: string, restrictions: Readonly<Record<string, string>>): EntityTarget {
  return { entity, activeOnly: false, restrictions };
}

/** The most frequent queries of clients, and the most expensive ones. */
export const benchQueries: readonly BenchQuery[] = [
  {
    name: "node",
    shows: "one node by its certname",
    path: `/nodes/${certname}`,
    of: known("nodes", { certname }),
  },
  {
    name: "nodes",
    shows: "every active node",
    path: "/nodes",
    of: active("nodes"),
  },
  {
    name: "nodes-page",
    shows: "a page of nodes in order, with the number of all",
    path: "/nodes",
    of: active("nodes"),
    orderBy: [{ field: "certname", descending: false }],
    limit: 50,
    offset: 50,
    includeTotal: true,
  },
  {
    name: "nodes-by-status",
    shows: "nodes by the status of their latest report",
    path: "",
    of: "root",
    query: "nodes[latest_report_status, count()]{ group by latest_report_status }",
  },
  {
    name: "nodes-subquery",
    shows: "nodes that have a resource and a fact",
    path: "",
    of: "root",
    query:
      'nodes[certname]{ resources{ type = "Class" and title = "Role::Crane" } and facts{ name = "kernel" and value = "Linux" } }',
  },
  {
    name: "node-facts",
    shows: "all facts of one node",
    path: `/nodes/${certname}/facts`,
    of: active("facts", { certname }),
  },
  {
    name: "node-catalog",
    shows: "the catalog of one node",
    path: `/catalogs/${certname}`,
    of: known("catalogs", { certname }),
  },
  {
    name: "fact",
    shows: "one fact of every node",
    path: "/facts/kernel",
    of: active("facts", { name: "kernel" }),
  },
  {
    name: "fact-values",
    shows: "how often each value of a fact occurs",
    path: "",
    of: "root",
    query: 'facts[value, count()]{ name = "kernelrelease" group by value }',
  },
  {
    name: "fact-paths",
    shows: "every path that facts have",
    path: "/fact-paths",
    of: { entity: "fact_paths", activeOnly: false },
  },
  {
    name: "inventory",
    shows: "nodes by two values deep inside their facts",
    path: "",
    of: "root",
    query: 'inventory[certname, facts.os.release.full]{ facts.os.family = "Debian" and facts.processors.count >= 8 }',
  },
  {
    name: "resource",
    shows: "one resource by type and title, wherever it is",
    path: "/resources/Class/Trust::Config",
    of: active("resources", { type: "Class", title: "Trust::Config" }),
  },
  {
    name: "resources-by-parameter",
    shows: "resources of some nodes by type and parameter",
    path: "/resources",
    of: active("resources"),
    query: '["and",["=","type","File"],["=",["parameter","ensure"],"directory"],["~","certname","^crane-0"]]',
  },
  {
    name: "resource-types",
    shows: "how many resources of each type there are",
    path: "",
    of: "root",
    query: "resources[type, count()]{ group by type }",
  },
  {
    name: "latest-reports",
    shows: "the latest report of every node, without its parts",
    path: "/reports",
    of: { entity: "reports", activeOnly: false },
    query: '["extract",["certname","hash","status","producer_timestamp"],["=","latest_report?",true]]',
  },
  {
    name: "event-counts",
    shows: "events of the latest reports by class",
    path: "/event-counts",
    of: "counts of events",
    query: '["=","latest_report?",true]',
    summarizeBy: "containing_class",
  },
];

function root(name: string, shows: string, query: string): BenchQuery {
  return { name, shows, path: "", of: "root", query };
}

/** Queries of which the answers as of a past time are compared with the present ones: short and long ones of each entity. */
export const pastBenchQueries: readonly BenchQuery[] = [
  ...benchQueries,
  root("fact-by-value", "nodes with a value of a fact", 'facts[certname]{ name = "kernel" and value = "Linux" }'),
  root("facts-all", "all facts of all nodes", "facts[certname, name, value]{}"),
  root(
    "fact-contents",
    "a part of a fact of every node",
    'fact_contents[certname, value]{ path = ["os", "release", "full"] }',
  ),
  {
    name: "fact-names",
    shows: "the names of all facts",
    path: "/fact-names",
    of: { entity: "fact_names", activeOnly: false },
  },
  {
    name: "factset",
    shows: "all facts of one node as a document",
    path: `/factsets/${certname}`,
    of: known("factsets", { certname }),
  },
  {
    name: "node-resources",
    shows: "the resources of one node",
    path: `/nodes/${certname}/resources`,
    of: active("resources", { certname }),
  },
  root("classes", "classes of all nodes", 'resources[certname, title]{ type = "Class" }'),
  root("class-counts", "how many nodes have each class", 'resources[title, count()]{ type = "Class" group by title }'),
  root("resources-count", "the number of all resources", "resources[count()]{}"),
  root("edges", "the edges of one node", `edges{ certname = "${certname}" }`),
  root("environments", "nodes by environment", "nodes[catalog_environment, count()]{ group by catalog_environment }"),
  root("packages", "packages by name", 'packages[package_name, version]{ package_name ~ "^lib" }'),
  root(
    "package-inventory",
    "nodes with a package",
    'package_inventory[certname, version]{ package_name ~ "^openssl" }',
  ),
  root("inventory-node", "the inventory of one node", `inventory{ certname = "${certname}" }`),
];
