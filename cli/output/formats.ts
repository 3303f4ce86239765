/** The layouts of an answer that are text, and may go anywhere. */
export const textFormats = ["table", "json", "ndjson", "csv", "markdown"] as const;

export type TextFormat = (typeof textFormats)[number];

/** All layouts an answer can have. */
export const outputFormats = [...textFormats, "parquet"] as const;

export type OutputFormat = (typeof outputFormats)[number];
