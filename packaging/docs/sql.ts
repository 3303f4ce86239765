import { views } from "#storage/sql/views.ts";
import type { Parts } from "./parts.ts";

/** The views with their columns. */
export function sqlParts(): Parts {
  const parts = views.map(({ name, columns }) =>
    [
      `### ${name}`,
      "",
      "| column | type |",
      "| --- | --- |",
      ...columns.map((column) => `| \`${column.name}\` | ${column.type} |`),
    ].join("\n"),
  );
  return { views: parts.join("\n\n") };
}
