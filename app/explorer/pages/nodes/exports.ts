import type { ExportMenuProps } from "../export/menu.tsx";
import { readFactField } from "../pql/fact-path.ts";
import { type RelatedField, relatedField } from "../pql/related-field.ts";
import { query } from "../pql/text.ts";

/** Maximum characters of the columns of an answer. */
const LONGEST_COLUMN = 63;

/** What is shown of the nodes. */
export interface ShownNodes {
  /** Their condition. */
  readonly where: string | undefined;
  /** As fields: `facts.os.name`. */
  readonly facts: readonly string[];
  /** Fields of other entities: `catalogs.producer`. */
  readonly related: readonly string[];
}

/**
 * What the page of nodes exports: the nodes in their order, and the columns that other entities have. PQL has no query with
 * several entities; facts in lists cannot be columns of `inventory`.
 * @param pql the nodes that are shown
 */
export function nodeExports(pql: string, { where, facts, related }: ShownNodes): ExportMenuProps {
  const columns = facts.filter(
    (field) =>
      field.length <= LONGEST_COLUMN && readFactField(field)?.every((part) => typeof part === "string") === true,
  );
  const fields = related.flatMap((name) => relatedField(name) ?? []);
  const fieldsOf = (entity: RelatedField["entity"]): string[] =>
    fields.flatMap((one) => (one.entity === entity ? [one.field] : []));
  const more = [
    { name: "facts", label: "Facts of these nodes", entity: "inventory", columns },
    { name: "catalogs", label: "Catalogs of these nodes", entity: "catalogs", columns: fieldsOf("catalogs") },
    { name: "factsets", label: "Factsets of these nodes", entity: "factsets", columns: fieldsOf("factsets") },
  ]
    .filter((each) => each.columns.length > 0)
    .map(({ name, label, entity, columns: select }) => ({
      name,
      label,
      pql: query(entity, {
        select: ["certname", ...select],
        where: where === undefined ? undefined : `nodes{ ${where} }`,
        orderBy: ["certname"],
      }),
    }));
  return more.length === 0 ? { name: "nodes", pql } : { name: "nodes", label: "Nodes", pql, more };
}
