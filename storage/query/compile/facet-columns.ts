import { sortRank } from "../../jsonb/sort-key.ts";
import { quotedText } from "../../engine/quoted-text.ts";
import type { FacetField } from "../facets/field.ts";
import { conditionSql } from "./conditions.ts";
import { jsonTextOf } from "./dialect.ts";
import { partColumn } from "./parts.ts";
import type { Scope } from "./scope.ts";

/** A field of a facet as SQL. */
export interface FacetColumn {
  /** What rows are grouped by, over the entity's tables; NULL where a row has no value. */
  readonly key: string;
  /** The value where the key does not tell it, likewise. */
  readonly value?: string;
  /** Where the value is, if `value` is only the number of its row there: values are read last, and for few rows. */
  readonly stored?: { readonly table: string; readonly column: string };
  /** Whether the key is a list, each of whose elements is a value of the row. */
  readonly isList?: boolean;
  /** SQL of the JSON text of a value, over the alias of the value or else of the key. */
  json(alias: string): string;
  /** SQL of the text that is searched, likewise. */
  text(alias: string): string;
}

const plain = (alias: string): string => alias;

/** The text of a JSON text: strings without quotes. */
function bareText(alias: string): string {
  return `CASE WHEN left(${alias}, 1) = '"' THEN json_extract_string(${alias}, '$') ELSE ${alias} END`;
}

/** JSON's null is no value. */
function withoutNull(sql: string): string {
  return `nullif(${sql}, 'null')`;
}

export function facetColumn(scope: Scope, field: FacetField): FacetColumn {
  if (field.kind === "cases")
    return { key: casesSql(scope, field), json: (alias) => jsonTextOf("string", alias), text: plain };
  if (field.kind === "part") {
    return { key: withoutNull(`${partColumn(scope, field.ref)}::VARCHAR`), json: plain, text: bareText };
  }
  const { field: declared } = field.ref;
  const { type } = declared;
  const sql = scope.use(declared.sql);
  switch (type) {
    case "json": {
      const key = `nullif(${scope.use(declared.sortKey ?? declared.sql)}, '${sortRank.null}')`;
      const { from, isView } = scope.entity;
      const isOfRow = isView !== true && "column" in declared.sql && declared.sql.table === from.alias;
      if (!isOfRow || !("stored" in from.rows)) return { key, value: sql, json: plain, text: bareText };
      const stored = { table: from.rows.stored, column: declared.sql.column };
      return { key, value: `${from.alias}.rowid`, stored, json: plain, text: bareText };
    }
    case "array":
      return {
        key: scope.use(declared.elements ?? declared.sql),
        isList: true,
        json: (alias) => jsonTextOf("string", alias),
        text: plain,
      };
    case "path":
    case "encoded-path":
      return declared.json === undefined
        ? { key: sql, json: plain, text: plain }
        : { key: sql, value: scope.use(declared.json), json: plain, text: plain };
    case "timestamp":
      return { key: `date_trunc('millisecond', ${sql})`, json: (alias) => jsonTextOf(type, alias), text: timeText };
    default: {
      if (declared.serialized === true) return { key: withoutNull(sql), json: plain, text: bareText };
      return { key: sql, json: (alias) => jsonTextOf(type, alias), text: (alias) => `${alias}::VARCHAR` };
    }
  }
}

function timeText(alias: string): string {
  return `strftime(${alias}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
}

/** SQL of the name of the first case whose condition a row meets. */
function casesSql(scope: Scope, { cases }: Extract<FacetField, { kind: "cases" }>): string {
  const branches = cases.map(({ name, when }) =>
    when === undefined ? `ELSE ${quotedText(name)}` : `WHEN ${conditionSql(scope, when)} THEN ${quotedText(name)}`,
  );
  return `CASE ${branches.join(" ")} END`;
}
