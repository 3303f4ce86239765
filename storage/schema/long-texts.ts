/** Tables whose texts may be megabytes long. The entities name theirs; this file imports nothing, since browsers use them too. */
export type LongTexts = "long_facts" | "fact_leaves" | "catalog_inputs" | "resources" | "reports" | "events";
