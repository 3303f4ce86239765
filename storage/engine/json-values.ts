import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { parseJson, stringifyJson } from "../json.ts";
import { formatTimestamp } from "../time.ts";
import { duckdb } from "./duckdb.ts";

/** Writes values of one type as JSON text. */
export type ValueWriter = (value: DuckDBValue) => string;

/**
 * How values of a type become JSON: numbers with all their digits, times as in the query API, JSON unchanged, and other
 * types as the engine's own text.
 */
export function jsonWriter(type: DuckDBType): ValueWriter {
  const write = nonNull(type);
  return (value) => (value === null ? "null" : write(value));
}

function nonNull(type: DuckDBType): ValueWriter {
  const { DuckDBTypeId: id } = duckdb.loaded();
  switch (type.typeId) {
    case id.BOOLEAN:
    case id.TINYINT:
    case id.SMALLINT:
    case id.INTEGER:
    case id.BIGINT:
    case id.HUGEINT:
    case id.UTINYINT:
    case id.USMALLINT:
    case id.UINTEGER:
    case id.UBIGINT:
    case id.UHUGEINT:
    case id.DECIMAL:
      return String;
    case id.FLOAT:
    case id.DOUBLE:
      return (value) => (Number.isFinite(value) ? String(value) : JSON.stringify(String(value)));
    case id.VARCHAR:
      return type.alias === "JSON" ? (value) => oneLine(String(value)) : quoted;
    case id.TIMESTAMP:
    case id.TIMESTAMP_TZ:
      return (value) => JSON.stringify(formatTimestamp((value as { micros: bigint }).micros));
    case id.LIST:
    case id.ARRAY:
      return listWriter(type);
    case id.STRUCT:
      return structWriter(type);
    case id.MAP:
      return mapWriter(type);
    default:
      return quoted;
  }
}

function quoted(value: DuckDBValue): string {
  return JSON.stringify(String(value));
}

/** A row of a result must be one line. */
function oneLine(json: string): string {
  return json.includes("\n") ? stringifyJson(parseJson(json)) : json;
}

type Nested = Extract<DuckDBType, { valueType: DuckDBType }>;

function listWriter(type: DuckDBType): ValueWriter {
  const write = jsonWriter((type as Nested).valueType);
  return (value) => `[${(value as { items: readonly DuckDBValue[] }).items.map(write).join(",")}]`;
}

function structWriter(type: DuckDBType): ValueWriter {
  const { entryNames, entryTypes } = type as Extract<DuckDBType, { entryNames: readonly string[] }>;
  const writers = entryTypes.map(jsonWriter);
  return (value) => {
    const { entries } = value as { entries: Readonly<Record<string, DuckDBValue>> };
    const members = entryNames.map((name, index) => {
      return `${JSON.stringify(name)}:${writers[index]?.(entries[name] ?? null) ?? "null"}`;
    });
    return `{${members.join(",")}}`;
  };
}

function mapWriter(type: DuckDBType): ValueWriter {
  const write = jsonWriter((type as Nested).valueType);
  return (value) => {
    const { entries } = value as { entries: readonly { key: DuckDBValue; value: DuckDBValue }[] };
    return `{${entries.map((entry) => `${quoted(entry.key)}:${write(entry.value)}`).join(",")}}`;
  };
}
