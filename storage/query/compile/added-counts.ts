import type { Statement } from "../../engine/statements.ts";
import type { FacetField } from "../facets/field.ts";
import { junction } from "../fold.ts";
import type { Condition, Selection } from "../tree.ts";
import { allConditions } from "./conditions.ts";
import { facetColumn } from "./facet-columns.ts";
import { cellText, cutSql, nodeSql } from "./node-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";

/** Rows that are added to counts, or taken away from them. */
export interface CountedPart {
  readonly sign: 1 | -1;
  /** A condition besides that of the selection. */
  readonly where: Condition | null;
  /** Only rows whose ids are greater (`new`), or not (`old`), than a number. */
  readonly ids?: { readonly are: "new" | "old"; readonly last: number };
}

/** What is counted of the rows of an entity that are only added. */
export interface AddedSelection {
  /** Its columns are not looked at. */
  readonly rows: Selection;
  /** SQL of the id of the report that a row came with, over the entity's tables. */
  readonly id: string;
  readonly facets: readonly (readonly FacetField[])[];
  /** Whether the nodes of each group are wanted. */
  readonly withNodes: boolean;
}

/**
 * The groups of facets in some parts of the rows, as of one state of the store. The rows are JSON texts
 * `[facet, sign, count, largest id, [key…], [node…]]`, where keys are cells as those of a node's columns, and a node is there as often as
 * it has rows. The facet after the last one is the group of all rows.
 */
export function compileAddedCounts(
  { rows, id, facets, withNodes }: AddedSelection,
  parts: readonly CountedPart[],
  context: CompileContext,
): Statement {
  const outer = Scope.of(rows.entity, context);
  const { aggregates, json, tables, values } = outer.dialect;
  const fields = [...new Map(facets.flat().map((field) => [field.name, field])).values()];
  const places = new Map(fields.map(({ name }, place) => [name, `k${place}`]));
  const selects = parts.map(({ sign, where, ids }) => {
    const scope = outer.inside(rows.entity);
    const cells = fields.map((field, place) => {
      return `${cutSql(values.cast(`(${facetColumn(scope, field).key})`, "text"))} AS k${place}`;
    });
    const node = withNodes ? [`${nodeSql(scope, rows.entity)} AS node`] : [];
    const both = [rows.where, where].filter((condition) => condition !== null);
    const conditions = allConditions(scope, { ...rows, where: both.length === 0 ? null : junction("and", both) });
    if (ids !== undefined) conditions.push(`${id} ${ids.are === "new" ? ">" : "<="} ${scope.value(ids.last)}`);
    const select = [`${sign} AS sign`, `${id} AS id`, ...node, ...cells].join(", ");
    return `SELECT ${select} ${scope.from()} WHERE ${conditions.join(" AND ")}`;
  });
  const nodes = withNodes ? json.text(aggregates.list("node")) : "'[]'";
  const groups = [...facets, []].map((own, index) => {
    const keys = own.map(({ name }) => places.get(name) ?? "");
    const cells = keys.map((key) => cellText(outer, key)).join(", ',', ");
    const key = cells === "" ? "'[]'" : `concat('[', ${cells}, ']')`;
    const counted = ["sign", ...keys, "count(*) AS n", "max(id) AS last", `${nodes} AS nodes`].join(", ");
    const grouped = `SELECT ${counted} FROM base GROUP BY ${["sign", ...keys].join(", ")}`;
    return `SELECT concat('[${index},', sign, ',', n, ',', last, ',', ${key}, ',', nodes, ']') FROM (${grouped})`;
  });
  return outer.statement(`WITH ${tables.once("base", selects.join(" UNION ALL "))} ${groups.join(" UNION ALL ")}`);
}
