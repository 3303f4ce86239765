import { columnOf, type Reads } from "../engine/table-versions.ts";
import { type CommandName, commands } from "../wire/commands.ts";

/**
 * The documents of an archive. A store may be without the content of some kinds, so that a question about others is answered
 * sooner: of these documents only what the rows of their nodes repeat is stored. Inputs of catalogs and settings of expiry are
 * few, and always stored.
 */
export const documentKinds = ["facts", "catalogs", "reports", "history"] as const;

export type DocumentKind = (typeof documentKinds)[number];

/** What is imported of an archive: all of it where there is none. */
export interface ArchivePart {
  /** The kinds that the store has already; undefined: the store is empty. */
  readonly stored?: ReadonlySet<DocumentKind> | undefined;
  /** The kinds that are added. */
  readonly adds: ReadonlySet<DocumentKind>;
}

/** The kind of a command; undefined for one that is always stored. */
export function kindOf(command: CommandName): DocumentKind | undefined {
  return documentKinds.find((kind) => kind === commands[command].archive?.folder);
}

/** The tables, views and columns of `nodes` whose content comes of each kind. */
const content: Readonly<Record<string, readonly DocumentKind[]>> = {
  facts: ["facts"],
  short_facts: ["facts"],
  long_facts: ["facts"],
  fact_leaves: ["facts"],
  steady_leaves: ["facts"],
  volatile_leaves: ["facts"],
  fact_paths: ["facts"],
  packages: ["facts"],
  node_packages: ["facts"],
  facts_hash: ["facts"],
  facts_steady_digest: ["facts"],
  packages_digest: ["facts"],
  resources: ["catalogs"],
  resource_parameters: ["catalogs"],
  edges: ["catalogs"],
  catalog_resources: ["catalogs"],
  catalog_edges: ["catalogs"],
  catalog_hash: ["catalogs"],
  reports: ["reports"],
  events: ["reports"],
  report_id: ["reports"],
  report_interval: ["reports"],
  report_hash: ["reports"],
  // The names of nodes in messages are known from their facts.
  issues: ["facts", "reports"],
  failures: ["facts", "reports"],
};

/** Tables that are complete without the content of any kind. */
const ofHeads: ReadonlySet<string> = new Set([
  "nodes",
  "environments",
  "producers",
  "catalog_inputs",
  "queue_progress",
  "store_identity",
  "schema_migrations",
  "origin_nodes",
]);

/** The kinds whose content a statement reads. */
export function kindsRead(reads: Reads): ReadonlySet<DocumentKind> {
  return new Set([...reads].flatMap(([table, parts]) => kindsOf(table, parts)));
}

function kindsOf(table: string, parts: "all" | ReadonlySet<string>): readonly DocumentKind[] {
  if (table.startsWith("history_")) return documentKinds;
  if (table !== "nodes") return content[table] ?? [];
  return parts === "all" ? documentKinds : [...parts].flatMap((part) => content[columnOf(part)] ?? []);
}

/** Whether it is known what a table's rows come of. */
export function isKnownTable(name: string): boolean {
  return ofHeads.has(name) || Object.hasOwn(content, name) || name.startsWith("history_");
}
