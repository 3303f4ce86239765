import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, isNumber, isObject, numberText, parseJson } from "#storage/json.ts";
import {
  entities,
  type Entity,
  type Field,
  type FieldType,
  isProjectable,
  isQueryable,
} from "#storage/query/entities/index.ts";
import { type Comparison, comparisons, operators, supports } from "#storage/query/operators.ts";
import { pqlComparisons } from "#storage/query/spellings.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import { ENTITIES } from "#storage/query/pql/grammar.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, populatedStore, refusalOf } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

/** What an operator says of a value that is present, worked out without the engine. */
const says: Readonly<Record<string, (value: Json, operand: Json) => boolean>> = {
  "=": (value, operand) => {
    if (Array.isArray(value) && !Array.isArray(operand)) return value.flat().includes(operand);
    return JSON.stringify(value) === JSON.stringify(operand);
  },
  "<": (value, operand) => less(value, operand),
  ">": (value, operand) => less(operand, value),
  "<=": (value, operand) => less(value, operand) || equal(value, operand),
  ">=": (value, operand) => less(operand, value) || equal(value, operand),
  "~": (value, operand) => {
    if (typeof operand !== "string") return false;
    const texts = Array.isArray(value) ? value : [value];
    return texts.some((text) => new RegExp(operand).test(typeof text === "string" ? text : JSON.stringify(text)));
  },
  "~>": (value, operand) => JSON.stringify(value) === JSON.stringify(operand),
};

function less(a: Json, b: Json): boolean {
  if (isNumber(a) && isNumber(b)) return Number(numberText(a)) < Number(numberText(b));
  return typeof a === "string" && typeof b === "string" && a < b;
}

function equal(a: Json, b: Json): boolean {
  if (isNumber(a) && isNumber(b)) return Number(numberText(a)) === Number(numberText(b));
  return typeof a === "string" && a === b;
}

/** Operands for fields of which no row has a value. */
const otherwise: Readonly<Record<FieldType, Json>> = {
  string: "a",
  boolean: true,
  numeric: 1,
  timestamp: "2026-11-20T12:00:00.000Z",
  array: "a",
  path: ["a"],
  "encoded-path": ["a"],
  json: 1,
  document: { a: 1 },
  expanded: null,
};

/** An operand that the operator can be given for a field with these values: it is true of one of them, where it can be. */
function operandOf({ ast, pql }: Comparison, { type }: Field, values: readonly Json[]): Json {
  const known = values.filter((value) => value !== null);
  const [spelling] = pql;
  if (spelling?.operand === "strings") return known.find((value) => Array.isArray(value)) ?? ["a"];
  if (spelling?.operand === "string") return "a";
  if (type === "array") return known.flat(2).find((value) => typeof value === "string") ?? "a";
  if (type === "json" && ast !== "=") return known.find(isNumber) ?? 1;
  return known[Math.floor(known.length / 2)] ?? otherwise[type];
}

async function valuesOf({ name }: Entity, field: string, filter?: Json): Promise<Json[]> {
  const query: Json = ["extract", [field], ...(filter === undefined ? [] : [filter])];
  const options = { everyReportType: true };
  const rows = await queryRows(store, { of: { entity: name, activeOnly: false }, query, options });
  return rows.map((row) => (isObject(row) ? (row[field] ?? null) : row));
}

const cases = Object.values(entities).flatMap((entity) =>
  Object.entries(entity.fields)
    .filter(([, field]) => isQueryable(field))
    .map(([name, field]) => ({ name: `${entity.name}.${name}`, entity, fieldName: name, field })),
);

const someNumber = expect.any(Number) as number;

/** How many rows an operator selects, or "refused". */
async function outcomeOf(entity: Entity, query: Json): Promise<number | string> {
  const spec = { of: { entity: entity.name, activeOnly: false }, query, options: { everyReportType: true } };
  const refusal = await refusalOf(store, spec);
  if (refusal === "no refusal") return (await queryRows(store, spec)).length;
  return REFUSALS.test(refusal) ? "refused" : refusal;
}

const REFUSALS = /not allowed on field|does not suit field|cannot be compared|^Invalid \S+ clause$/;

/** The same, worked out from the values of all rows; undefined where that cannot be done. */
function expectedOf(operator: Comparison, field: Field, values: readonly Json[], operand: Json): unknown {
  // `trusted` is a part of a document as well: a fact like others.
  const isPart = field.parts?.prefix !== undefined && operator.onPart !== undefined && typeof operand === "string";
  if (!(supports(operator, field) || isPart) || field.onlyNull === true) return "refused";
  const isTrue = says[operator.ast];
  if (isTrue === undefined || !isProjectable(field)) return someNumber;
  if (field.serialized !== true) return values.filter((value) => value !== null && isTrue(value, operand)).length;
  // Serialized values are texts of JSON, and so is what they are matched with (`reference/query.md §4.3`).
  const texts = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
  return texts.filter((text) => isTrue(text, JSON.stringify(operand))).length;
}

describe("every operator", () => {
  it.each(cases)(
    "on $name selects the right rows or is rejected with a message",
    async ({ entity, fieldName, field }) => {
      const values = isProjectable(field) ? await valuesOf(entity, fieldName) : [];
      const found: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const operator of comparisons) {
        const operand = operandOf(operator, field, values);
        found[operator.ast] = await outcomeOf(entity, [operator.ast, fieldName, operand]);
        expected[operator.ast] = expectedOf(operator, field, values, operand);
      }
      expect(found).toEqual(expected);
    },
  );
});

describe("a condition on the type of reports", () => {
  it.each(
    comparisons
      .filter(({ fields }) => fields.string !== undefined)
      .map((operator) => [operator.ast, operator] as const),
  )("replaces the implicit type = agent: %s", async (ast, { mentionsField }) => {
    const query = ["or", [ast, "type", "a"], ["not", [ast, "type", "a"]]];
    const count = async (everyReportType: boolean): Promise<number> =>
      (await queryRows(store, { of: { entity: "reports", activeOnly: false }, query, options: { everyReportType } }))
        .length;
    expect(mentionsField).toBe(true);
    expect(await count(false)).toBe(await count(true));
  });
});

describe("the spelling of operators", () => {
  it("is declared once for each operator of AST", () => {
    expect(new Set(operators.map(({ ast }) => ast)).size).toBe(operators.length);
  });

  it("has longer symbols before shorter ones that they begin with", () => {
    const symbols = pqlComparisons.map(({ symbol }) => symbol);
    const hidden = symbols.filter((symbol, index) => symbols.slice(0, index).some((other) => symbol.startsWith(other)));
    expect(hidden).toEqual([]);
  });

  const operandTexts = { string: '"a"', strings: '["a"]', ordered: "5", literal: '"a"' } as const;

  it.each(pqlComparisons)("is the declared one in PQL: $symbol", ({ symbol, operand, negated, ast }) => {
    const text = operandTexts[operand];
    const comparison: Json = [ast, "value", parseJson(text)];
    const [entity] = ENTITIES;
    expect(parsePql(`${entity}{ value ${symbol} ${text} }`)).toEqual([
      "from",
      entity,
      negated === true ? ["not", comparison] : comparison,
    ]);
  });
});
