import { isMap, isScalar, type Node } from "yaml";
import { isNumber, type Json, numberText } from "../json.ts";
import { didYouMean, type Entry, type FileReader, plainValue } from "./file-reader.ts";
import { fillValue, type Parameters } from "./parameters.ts";
import type { Bounds, ColumnExpectation, Expectation } from "./types.ts";

/** Expectations that are a text, by what the text is. */
const named: Readonly<Record<string, Expectation>> = {
  "no rows": { kind: "rows", count: { min: 0, max: 0 }, column: undefined },
  rows: { kind: "rows", count: { min: 1, max: Number.POSITIVE_INFINITY }, column: undefined },
  "no new rows": { kind: "change", mayBeNew: false, mayBeMissing: true },
  "no missing rows": { kind: "change", mayBeNew: true, mayBeMissing: false },
  "same rows": { kind: "change", mayBeNew: false, mayBeMissing: false },
};

const keys = ["rows", "column", "only", "includes", "min", "max"] as const;

/** An expectation, and the parameters without a value that it uses. */
export interface ReadExpectation {
  readonly expectation: Expectation;
  readonly unset: readonly string[];
}

/** @throws CensusError "bad-input" naming the place */
export function readExpectation(reader: FileReader, node: Node | null, parameters: Parameters): ReadExpectation {
  if (!isMap(node)) return { expectation: namedExpectation(reader, node), unset: [] };
  const unset: string[] = [];
  const values = new Values(reader, parameters, unset);
  const entries = reader.entries(node, "expect", keys);
  const column = readColumn(reader, entries, values);
  const rows = entries.get("rows");
  if (rows === undefined && column === undefined) {
    throw reader.error(node, `expect must be ${namesOf()}, or have rows or column`);
  }
  const count = rows === undefined ? undefined : readCount(reader, rows, values);
  return { expectation: { kind: "rows", count, column }, unset };
}

function namedExpectation(reader: FileReader, node: Node | null): Expectation {
  const text: unknown = isScalar(node) ? node.value : undefined;
  if (typeof text !== "string")
    throw reader.error(node, `expect must be ${namesOf()}, or a mapping with rows or column`);
  const expectation = Object.hasOwn(named, text) ? named[text] : undefined;
  if (expectation !== undefined) return expectation;
  throw reader.error(node, `unknown expectation ${JSON.stringify(text)}; ${didYouMean(text, Object.keys(named))}`);
}

function namesOf(): string {
  return Object.keys(named)
    .map((name) => JSON.stringify(name))
    .join(", ");
}

/** The values of an expectation, with those of parameters. */
class Values {
  readonly #reader: FileReader;
  readonly #parameters: Parameters;
  readonly #unset: string[];

  constructor(reader: FileReader, parameters: Parameters, unset: string[]) {
    this.#reader = reader;
    this.#parameters = parameters;
    this.#unset = unset;
  }

  /** Undefined when a parameter has no value. */
  read(node: Node | null): Json | undefined {
    const { value, unset } = fillValue(plainValue(node), this.#parameters, (message) => {
      throw this.#reader.error(node, message);
    });
    this.#unset.push(...unset);
    return unset.length === 0 ? value : undefined;
  }

  number({ value: node }: Entry, name: string): number {
    const value = this.read(node);
    if (value === undefined) return 0;
    const number = isNumber(value) ? Number(numberText(value)) : Number.NaN;
    if (Number.isFinite(number)) return number;
    throw this.#reader.error(node, `${name} must be a number, not ${JSON.stringify(value)}`);
  }

  list({ value: node }: Entry, name: string): readonly Json[] {
    const value = this.read(node);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.length > 0) return value;
    throw this.#reader.error(node, `${name} must be a list with at least one value`);
  }
}

function readCount(reader: FileReader, { value: node }: Entry, values: Values): Bounds {
  if (!isMap(node)) {
    const exact = values.number({ value: node } as Entry, "rows");
    return checkedCount({ min: exact, max: exact });
  }
  const entries = reader.entries(node, "rows", ["min", "max"]);
  if (entries.size === 0) throw reader.error(node, "rows must have min or max");
  return checkedCount(readBounds(reader, node, entries, values));

  function checkedCount(bounds: Bounds): Bounds {
    if (isCountOrOpen(bounds.min) && isCountOrOpen(bounds.max)) return bounds;
    throw reader.error(node, "rows must be a whole number of 0 or more");
  }
}

/** Whether a bound is a number of rows, or there is no bound. */
function isCountOrOpen(bound: number): boolean {
  return !Number.isFinite(bound) || (Number.isInteger(bound) && bound >= 0);
}

function readBounds(reader: FileReader, node: Node, entries: ReadonlyMap<string, Entry>, values: Values): Bounds {
  const [least, most] = [entries.get("min"), entries.get("max")];
  const min = least === undefined ? Number.NEGATIVE_INFINITY : values.number(least, "min");
  const max = most === undefined ? Number.POSITIVE_INFINITY : values.number(most, "max");
  if (min <= max) return { min, max };
  throw reader.error(node, `min is ${min} and max is ${max}; min must not be above max`);
}

function readColumn(
  reader: FileReader,
  entries: ReadonlyMap<string, Entry>,
  values: Values,
): ColumnExpectation | undefined {
  const column = entries.get("column");
  const [only, includes, min, max] = (["only", "includes", "min", "max"] as const).map((name) => entries.get(name));
  const first = only ?? includes ?? min ?? max;
  if (column === undefined) {
    if (first === undefined) return undefined;
    throw reader.error(first.key, `${first.key.value} is of the values of a column; add column: NAME`);
  }
  if (first === undefined) throw reader.error(column.key, "column needs only, includes, min or max");
  return {
    name: reader.text(column.value, "column"),
    only: only === undefined ? undefined : values.list(only, "only"),
    includes: includes === undefined ? undefined : values.list(includes, "includes"),
    bounds: (min ?? max) === undefined ? undefined : readBounds(reader, first.key, entries, values),
  };
}
