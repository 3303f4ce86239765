/** The layouts an answer can have. */
export const outputFormats = ["table", "json", "ndjson", "csv", "markdown", "parquet"] as const;

export type OutputFormat = (typeof outputFormats)[number];

/** Those that are text, and may go anywhere. */
export type TextFormat = Exclude<OutputFormat, "parquet">;
