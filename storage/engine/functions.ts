import type { DuckDBConnection, DuckDBType } from "@duckdb/node-api";
import { parseJson } from "../json.ts";
import { jsonbContains, jsonbText } from "../jsonb/text.ts";
import { numericAverage } from "../postgres/average.ts";
import { matchSubjects } from "../postgres/regex.ts";
import { duckdb } from "./duckdb.ts";

/**
 * Functions of ours inside the engine, for the few things DuckDB cannot do itself. Each call crosses into JavaScript
 * (about 1 µs a row), so the compiler uses them only where plain SQL has no answer.
 *
 * | function | for |
 * | --- | --- |
 * | `census_contains(document, operand)` | jsonb's `@>` with a structured operand |
 * | `census_json_text(document)` | jsonb's spacing of a part cut out of a document |
 * | `census_average(sum, count)` | an average with PostgreSQL's digits |
 * | `census_regexp(text, source, flags)` | regular expressions beyond RE2: look-around, back-references |
 */
export async function registerFunctions(connection: DuckDBConnection): Promise<void> {
  const { BOOLEAN, VARCHAR } = await duckdb();
  const operands = lastOf(parseJson);
  await define(connection, "census_contains", 2, BOOLEAN, ([document = "", operand = ""]) =>
    jsonbContains(parseJson(document), operands(operand)),
  );
  await define(connection, "census_json_text", 1, VARCHAR, ([document = ""]) => jsonbText(parseJson(document)));
  await define(connection, "census_average", 2, VARCHAR, ([sum = "0", count = "1"]) =>
    numericAverage(sum, BigInt(count)),
  );
  await defineRegexp(connection);
}

/** Milliseconds a pattern may keep the thread busy for one batch of texts. */
const MATCH_LIMIT = 1000;

async function defineRegexp(connection: DuckDBConnection): Promise<void> {
  const { BOOLEAN } = await duckdb();
  const patterns = lastOf((source: string) => {
    const at = source.indexOf("/");
    return new RegExp(source.slice(at + 1), source.slice(0, at));
  });
  await defineBatch(connection, "census_regexp", 3, BOOLEAN, ([texts = [], sources = [], flags = []]) =>
    matchSubjects(patterns(`${flags[0]}/${sources[0]}`), texts, MATCH_LIMIT),
  );
}

/** Remembers what was made of the last key: the one operand of the query that is running. */
function lastOf<T>(make: (key: string) => T): (key: string) => T {
  let last: { key: string; value: T } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}

async function define(
  connection: DuckDBConnection,
  name: string,
  parameters: number,
  returnType: DuckDBType,
  compute: (cells: string[]) => string | boolean,
): Promise<void> {
  await defineBatch(connection, name, parameters, returnType, (columns) =>
    (columns[0] ?? []).map((_, row) => compute(columns.map((column) => column[row] ?? ""))),
  );
}

/** A row with NULL among its arguments is NULL and is not computed. */
async function defineBatch(
  connection: DuckDBConnection,
  name: string,
  parameters: number,
  returnType: DuckDBType,
  compute: (columns: string[][]) => readonly (string | boolean)[],
): Promise<void> {
  const { DuckDBScalarFunction, VARCHAR } = await duckdb();
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes: Array.from({ length: parameters }, () => VARCHAR),
      returnType,
      mainFunction: (_info, input, output) => {
        const columns = Array.from(
          { length: parameters },
          (_, column) => input.getColumnValues(column) as (string | null)[],
        );
        const rows = Array.from({ length: input.rowCount }, (_, row) => row);
        const whole = rows.filter((row) => columns.every((column) => column[row] !== null));
        const values = compute(columns.map((column) => whole.map((row) => column[row] ?? "")));
        for (const row of rows) output.setItem(row, null);
        for (const [index, row] of whole.entries()) output.setItem(row, values[index] ?? null);
        output.flush();
      },
    }),
  );
}
