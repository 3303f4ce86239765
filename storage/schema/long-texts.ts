/**
 * Tables whose texts may have megabytes. Entities refer to them; this file imports nothing, since browsers use it too.
 */
export type LongTexts = "long_facts" | "steady_leaves" | "catalog_inputs" | "resources" | "reports" | "events";
