import type { ExportMenuProps } from "../export/menu.tsx";
import { readFactField } from "../pql/fact-path.ts";
import { query } from "../pql/text.ts";

/** Columns of an answer have at most so many characters. */
const LONGEST_COLUMN = 63;

/**
 * What the page of nodes exports: the nodes in their order, and the facts that are columns. PQL has no query with both; facts
 * in lists cannot be columns of `inventory`.
 * @param pql the nodes that are shown
 * @param where their condition
 * @param facts as fields: `facts.os.name`
 */
export function nodeExports(pql: string, where: string | undefined, facts: readonly string[]): ExportMenuProps {
  const columns = facts.filter(
    (field) =>
      field.length <= LONGEST_COLUMN && readFactField(field)?.every((part) => typeof part === "string") === true,
  );
  if (columns.length === 0) return { name: "nodes", pql };
  const inventory = query("inventory", {
    select: ["certname", ...columns],
    where: where === undefined ? undefined : `nodes{ ${where} }`,
    orderBy: ["certname"],
  });
  return {
    name: "nodes",
    label: "Nodes",
    pql,
    more: [{ name: "facts", label: "Facts of these nodes", pql: inventory }],
  };
}
