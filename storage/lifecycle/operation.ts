/** The names of all operations of maintenance, in the order in which they run (`reference/lifecycle.md §6, §7.4`). */
export const operationNames = [
  "expire_nodes",
  "purge_nodes",
  "purge_reports",
  "gc_packages",
  "purge_resource_events",
  "other",
  "gc_catalogs",
  "gc_fact_paths",
] as const;

export type Operation = (typeof operationNames)[number];
