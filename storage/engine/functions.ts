import type { DuckDBConnection, DuckDBType } from "@duckdb/node-api";
import { parseJson } from "../json.ts";
import { jsonbContains, TooManySteps } from "../jsonb/contains.ts";
import { sortKey } from "../jsonb/sort-key.ts";
import { jsonbText } from "../jsonb/text.ts";
import { undoChanges } from "../jsonb/undo.ts";
import { versionKey } from "../package-versions/version-key.ts";
import { numericAverage } from "../postgres/average.ts";
import { MaskError, numberToChar, readNumberMask } from "../postgres/number-to-char.ts";
import { readNumeric } from "../postgres/numeric.ts";
import { NumericOverflow, numericSum } from "../postgres/sum.ts";
import { encodePath } from "../wire/fact-leaves.ts";
import { duckdb } from "./duckdb.ts";
import { clientErrorMark } from "./client-error-mark.ts";
import { lookUp } from "./pattern-run.ts";

/**
 * Functions of ours inside the engine, for the few things DuckDB cannot do itself. Each call crosses into JavaScript
 * (about 1 µs a row), so the compiler uses them only where plain SQL has no answer.
 *
 * | function | for |
 * | --- | --- |
 * | `census_contains(document, operand)` | jsonb's `@>` with a structured operand |
 * | `census_json_text(document)` | jsonb's spacing of a part cut out of a document |
 * | `census_average(sum, count)` | an average with PostgreSQL's digits |
 * | `census_sum(number, numbers)` | sums beyond the engine's exact numbers |
 * | `census_numeric(text)` | the number that a text is |
 * | `census_number_text(number, mask)` | `to_char` of a number |
 * | `census_regexp(text, key)` | regular expressions beyond RE2: look-around, back-references ({@link PatternRun}) |
 * | `census_undo(document, changes)` | a fact as it was before changes of its scalars |
 * | `census_sort_key(value)` | the key of a value that queries compare and order by |
 * | `census_path(path)` | the path of a scalar as one text, of the path as a JSON array |
 * | `version_key(version, provider)` | orders of package versions, for users' SQL |
 */
export async function registerFunctions(connection: DuckDBConnection): Promise<void> {
  const { BOOLEAN, VARCHAR } = await duckdb();
  const operands = memoizedLast(parseJson);
  await define(connection, "census_contains", 2, BOOLEAN, ([document = "", operand = ""]) =>
    withClientErrors(() => jsonbContains(parseJson(document), operands(operand))),
  );
  await define(connection, "census_json_text", 1, VARCHAR, ([document = ""]) => jsonbText(parseJson(document)));
  await define(connection, "census_average", 2, VARCHAR, ([sum = "0", count = "1"]) =>
    numericAverage(sum, BigInt(count)),
  );
  await define(connection, "census_sum", 2, VARCHAR, ([first = "0", others = ""]) =>
    withClientErrors(() => numericSum([first, ...others.split(" ")])),
  );
  await define(connection, "census_numeric", 1, VARCHAR, ([text = ""]) => readNumeric(text));
  const masks = memoizedLast(readNumberMask);
  await define(connection, "census_number_text", 2, VARCHAR, ([number = "0", mask = ""]) =>
    withClientErrors(() => numberToChar(masks(mask), number)),
  );
  await define(connection, "census_undo", 2, VARCHAR, ([document = "", changes = "[]"]) =>
    undoChanges(document, changes),
  );
  await define(connection, "census_sort_key", 1, VARCHAR, ([value = "null"]) => sortKey(parseJson(value)));
  await define(connection, "census_path", 1, VARCHAR, ([path = "[]"]) =>
    encodePath(JSON.parse(path) as (string | number)[]),
  );
  await define(connection, "version_key", 2, VARCHAR, ([version = "", provider = ""]) => versionKey(version, provider));
  await defineRegexp(connection);
}

/** Errors that describe an invalid query, or a value that it does not support. */
const queryErrors = [TooManySteps, NumericOverflow, MaskError];

/** An error that crosses the engine only keeps its text. */
function withClientErrors<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof Error) || !queryErrors.some((kind) => error instanceof kind)) throw error;
    throw new Error(clientErrorMark + error.message, { cause: error });
  }
}

async function defineRegexp(connection: DuckDBConnection): Promise<void> {
  const { BOOLEAN } = await duckdb();
  // All rows of a batch belong to one statement, in which a pattern has one key.
  await defineBatch(connection, "census_regexp", 2, BOOLEAN, ([texts = [], keys = []]) =>
    keys[0] === undefined ? [] : lookUp(keys[0], texts),
  );
}

/** Caches the result for the last key, because a query calls the function with one operand. */
function memoizedLast<T>(make: (key: string) => T): (key: string) => T {
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
  compute: (cells: string[]) => string | boolean | null,
): Promise<void> {
  await defineBatch(connection, name, parameters, returnType, (columns) =>
    (columns[0] ?? []).map((_, row) => compute(columns.map((column) => column[row] ?? ""))),
  );
}

/** The result is NULL for rows with NULL among the arguments; a batch may then be empty. */
async function defineBatch(
  connection: DuckDBConnection,
  name: string,
  parameters: number,
  returnType: DuckDBType,
  compute: (columns: string[][]) => readonly (string | boolean | null)[],
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
