/** A table or view as it counts for a fingerprint. */
export interface ComparedTable {
  readonly name: string;
  /** Columns whose values count as they are. */
  readonly columns: readonly string[];
  /** Columns with ids, which differ between stores of equal content, by what counts in place of them. */
  readonly ids?: Readonly<Record<string, Reference>>;
  /** SQL of a condition that rows without content do not meet. */
  readonly condition?: string;
}

/** What counts in place of an id; `own` is the id of the row itself, for which nothing counts. */
export type Reference = "own" | "node" | "report" | "resource" | "edge" | "package" | "path";

/** The tables that references lead to, and SQL of what identifies a row there. */
export const referred: Readonly<Record<Exclude<Reference, "own">, { readonly table: string; readonly key: string }>> = {
  node: { table: "nodes", key: "certname" },
  report: { table: "reports", key: "hash" },
  resource: { table: "resources", key: "digest" },
  edge: { table: "edges", key: "digest" },
  package: { table: "packages", key: "concat_ws(chr(1), name, version, provider)" },
  path: { table: "fact_paths", key: "concat_ws(chr(1), type, path)" },
};

/** The names in a text. */
function names(text: string): readonly string[] {
  return text.split(" ");
}

/**
 * Tables about the store itself and the servers that it follows, and those with what failed: they repeat what reports contain, under
 * today's rules.
 */
export const uncompared: readonly string[] = [
  "failures",
  "issues",
  "origin_nodes",
  "queue_progress",
  "schema_migrations",
  "store_identity",
];

/**
 * Columns that repeat what is stored elsewhere; those of nodes are NULL where an older version of the program has stored it, and the
 * interval depends on the order in which reports came.
 */
export const uncomparedColumns: Readonly<Record<string, readonly string[]>> = {
  nodes: ["facts_steady_digest", "packages_digest", "report_interval"],
  resources: ["digest_start", "digest_end"],
  edges: ["digest_start", "digest_end"],
  fact_leaves: ["rowid"],
};

/**
 * All other tables; where a view has the rows of several, the view: where a leaf is depends on when it was stored. Rows without
 * content are spacers (`storage/schema/migrations/007-rows-apart.ts`).
 */
export const comparedTables: readonly ComparedTable[] = [
  {
    name: "nodes",
    columns: [
      ...names("certname deactivated expired expires_facts expires_facts_updated"),
      ...names("environment producer hash timestamp producer_timestamp").map((name) => `facts_${name}`),
      ...names("environment producer hash timestamp producer_timestamp").map((name) => `catalog_${name}`),
      ...names("version transaction_uuid uuid code_id job_id").map((name) => `catalog_${name}`),
      ...names("inputs_hash inputs_uuid inputs_producer_timestamp"),
      ...names("hash environment end_time producer_timestamp status").map((name) => `report_${name}`),
      ...names("noop noop_pending corrective_change job_id").map((name) => `report_${name}`),
      "cached_catalog_status",
    ],
    ids: { id: "own", report_id: "report" },
  },
  { name: "environments", columns: ["name"] },
  { name: "producers", columns: ["name"] },
  { name: "facts", columns: ["name", "value", "sort_key"], ids: { node_id: "node" } },
  {
    name: "fact_paths",
    columns: ["path", "name", "type", "depth", "elements", "kinds", "path_json"],
    ids: { id: "own" },
  },
  {
    name: "fact_leaves",
    columns: ["value", "sort_key"],
    ids: { node_id: "node", path_id: "path" },
    condition: "path_id > 0",
  },
  {
    name: "resources",
    columns: ["digest", "hash", "type", "title", "tags", "exported", "file", "line", "parameters"],
    ids: { id: "own" },
    condition: "id > 0",
  },
  {
    name: "resource_parameters",
    columns: ["name", "value", "digest"],
    ids: { resource_id: "resource" },
    condition: "resource_id > 0",
  },
  { name: "catalog_resources", columns: ["type"], ids: { node_id: "node", resource_id: "resource" } },
  {
    name: "edges",
    columns: ["digest", "source_type", "source_title", "target_type", "target_title", "relationship"],
    ids: { id: "own" },
  },
  { name: "catalog_edges", columns: [], ids: { node_id: "node", edge_id: "edge" } },
  { name: "catalog_inputs", columns: ["type", "name"], ids: { node_id: "node" }, condition: "node_id > 0" },
  { name: "packages", columns: ["name", "version", "provider"], ids: { id: "own" } },
  { name: "node_packages", columns: [], ids: { node_id: "node", package_id: "package" } },
  {
    name: "reports",
    columns: [
      ...names("hash type status environment producer producer_timestamp receive_time start_time"),
      ...names("end_time puppet_version report_format configuration_version transaction_uuid catalog_uuid"),
      ...names("code_id job_id cached_catalog_status noop noop_pending corrective_change"),
      ...names("metrics logs resources"),
    ],
    ids: { id: "own", node_id: "node" },
    condition: "id > 0",
  },
  {
    name: "events",
    columns: [
      ...names("position status timestamp resource_type resource_title property name old_value"),
      ...names("new_value message file line containment_path containing_class corrective_change"),
    ],
    ids: { report_id: "report" },
    condition: "report_id > 0",
  },
  { name: "history_documents", columns: ["is_catalog", "produced"], ids: { node_id: "node" } },
  { name: "history_facts", columns: ["path", "before", "after", "changed"], ids: { node_id: "node" } },
  {
    name: "history_resources",
    columns: ["type", "title", "changed", "transaction_uuid"],
    ids: { node_id: "node", before_id: "resource", after_id: "resource" },
  },
  {
    name: "history_edges",
    columns: ["came", "changed", "transaction_uuid"],
    ids: { node_id: "node", edge_id: "edge" },
  },
  {
    name: "history_packages",
    columns: ["name", "provider", "before", "after", "changed"],
    ids: { node_id: "node" },
  },
  {
    name: "history_nodes",
    columns: ["what", "before", "after", "changed", "transaction_uuid"],
    ids: { node_id: "node" },
  },
  { name: "history_state", columns: ["begun"] },
];
