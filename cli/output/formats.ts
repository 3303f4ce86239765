/** The layouts an answer can have. */
export const outputFormats = ["table", "json", "ndjson", "csv"] as const;

export type OutputFormat = (typeof outputFormats)[number];
