import type { Statement } from "../../engine/statements.ts";
import type { FacetField } from "../facets/field.ts";
import { allConditions } from "./conditions.ts";
import { facetColumn } from "./facet-columns.ts";
import { countSql, type FacetSelection } from "./facets.ts";
import { cellText, cutSql, nodeSql, TOO_LONG } from "./node-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";

/** The facet number of rows that count all rows of a stripe. */
export const ALL_ROWS = -1;

/** Nodes whose rows are counted together: those whose ids divided by the width are the same number. */
export interface Stripes {
  readonly width: number;
  /** Only these; absent: all. */
  readonly only?: readonly number[];
}

/**
 * The groups of facets by stripe. The rows are JSON texts `[facet, stripe, count, nodes, [key…], [value…]]`, where keys and values are
 * cells as those of a node's columns. A value is null where the key says what it is, and {@link TOO_LONG} as well where a key has several.
 */
export function compileStripes(wanted: FacetSelection, { width, only }: Stripes, context: CompileContext): Statement {
  const { rows, facets, distinct } = wanted;
  const scope = Scope.of(rows.entity, context);
  const node = nodeSql(scope, rows.entity);
  const fields = [...new Map(facets.flat().map((field) => [field.name, field])).values()];
  const columns = new Map(fields.map((field, index) => [field.name, columnOf(scope, field, index)]));
  const select = [
    `${scope.dialect.values.quotient(node, String(width))} AS stripe`,
    `${node} AS per`,
    ...[...columns.values()].flatMap(({ selected }) => selected),
  ].join(", ");
  const ranges = only?.map((stripe) => `${node} BETWEEN ${stripe * width} AND ${(stripe + 1) * width - 1}`);
  const all = [
    ...allConditions(scope, rows, ranges === undefined),
    ...(ranges === undefined ? [] : [`(${ranges.join(" OR ")})`]),
  ];
  const where = all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`;
  const base = `WITH ${scope.dialect.tables.once("base", `SELECT ${select} ${scope.from()}${where}`)}`;
  const nodes = distinct === undefined ? "0" : "count(DISTINCT per)";
  const total = `SELECT concat('[${ALL_ROWS},', stripe, ',', ${countSql(wanted, [])}, ',0,[],[]]') FROM base GROUP BY stripe`;
  const groups = facets.map((own, index) => {
    const cells = own.flatMap(({ name }) => columns.get(name) ?? []);
    const [keys, values] = [cells.map(({ key }) => key), cells.map(({ value }) => value)];
    const text = `concat('[${index},', stripe, ',', n, ',', d, ',[', ${keys.map((key) => cellText(scope, key)).join(", ',', ")}, '],[', ${cells.map((_, cell) => `v${cell}`).join(", ',', ")}, ']]')`;
    const counted = [
      "stripe",
      ...keys,
      `${countSql(wanted, own)} AS n`,
      `${nodes} AS d`,
      ...values.map((value, cell) => `${value} AS v${cell}`),
    ].join(", ");
    return `SELECT ${text} FROM (SELECT ${counted} FROM base GROUP BY ${["stripe", ...keys].join(", ")})`;
  });
  return scope.statement(`${base} ${[total, ...groups].join(" UNION ALL ")}`);
}

interface Column {
  readonly selected: readonly string[];
  readonly key: string;
  /** SQL of the cell of a group's value. */
  readonly value: string;
}

function columnOf(scope: Scope, field: FacetField, index: number): Column {
  const { key: sql } = facetColumn(scope, field);
  const [key, value] = [`k${index}`, `t${index}`];
  const selected = [`${cutSql(scope.dialect.values.cast(`(${sql})`, "text"))} AS ${key}`];
  if (field.kind !== "field" || field.ref.field.type !== "json") return { selected, key, value: "'null'" };
  // Values are equal that are written differently, such as 1 and 1.0.
  const isOne = `min(${value}) IS NOT DISTINCT FROM max(${value})`;
  return {
    selected: [...selected, `${cutSql(scope.use(field.ref.field.sql))} AS ${value}`],
    key,
    value: `CASE WHEN ${isOne} THEN ${cellText(scope, `min(${value})`)} ELSE '${TOO_LONG}' END`,
  };
}
