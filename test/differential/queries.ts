/** Queries made from the declarations of entities, with values that the population has. */
import * as fc from "fast-check";
import type { Json } from "#storage/json.ts";
import { type Entity, entities, type Field, isProjectable, queryableFields } from "#storage/query/entities/index.ts";

/** Values of a field that the population has; none: no such values are known. */
export type KnownValues = (entity: string, field: string) => readonly Json[];

/** The entities that PuppetDB has too. */
export const compared: readonly Entity[] = Object.values(entities).filter(({ name }) => !/_changes$|_with_/.test(name));

/** Fields that differ on purpose (docs/differences.md): no random query has them. */
const differing = new Set([
  "events.old_value",
  "events.new_value",
  "events.latest_report?",
  "resources.tag",
  "reports.resources",
]);

/** Fields with the time of receipt, which the servers do not have in common. */
const received = new Set([
  "factsets.timestamp",
  "inventory.timestamp",
  "nodes.facts_timestamp",
  "nodes.catalog_timestamp",
  "reports.receive_time",
  "events.report_receive_time",
]);

/** The fields of an entity that random queries compare and return. */
function commonNamesOf(entity: Entity): readonly string[] {
  const isCommon = (name: string): boolean => ![differing, received].some((set) => set.has(`${entity.name}.${name}`));
  return namesOf(entity).filter(isCommon);
}

const parts = ["kernel", "os.family", "os.release.major", "networking.ip", "ensure", "mode", "certname", "nope"];

/** The fields of an entity as a query names them: of a document, some of its parts. */
function namesOf(entity: Entity): readonly string[] {
  return Object.entries(entity.fields).flatMap(([name, { type, isUnlisted = false }]) => {
    if (isUnlisted) return [];
    return type === "document" ? parts.map((part) => `${name}.${part}`) : [name];
  });
}

function fieldNamed(entity: Entity, name: string): Field | undefined {
  return entity.fields[name.split(".")[0] ?? ""];
}

/** Operands that are of no kind in particular. */
const operands: readonly Json[] = ["x", "1", 1, 1.5, true, "true", null, ["a"], [], { a: 1 }, "2026-11-20T12:00:00Z"];

/**
 * Random queries that mostly can be answered.
 * @param ofEntities of which there are queries
 */
export function randomQueries(
  values: KnownValues,
  seed: number,
  count: number,
  ofEntities: readonly Entity[] = compared,
): Json[] {
  return fc.sample(queryOf(ofEntities, values), { seed, numRuns: count });
}

/** Each operator with each kind of operand for each field, and each function of it. */
export function fieldQueries(values: KnownValues): Json[] {
  return compared.flatMap((entity) =>
    namesOf(entity).flatMap((field) => {
      const own = values(entity.name, field).slice(0, 3);
      const comparisons = [...operands, ...own].flatMap((operand): Json[] => [
        ["=", field, operand],
        [">", field, operand],
        ["<=", field, operand],
        ["not", ["<", field, operand]],
        ["~", field, operand],
      ]);
      const others: Json[] = [
        ["~>", field, ["a"]],
        ["~>", field, [".*", 0]],
        ["null?", field, true],
        ["null?", field, false],
        ["in", field, ["array", [own[0] ?? "x", "y"]]],
        ["in", field, ["array", [1, 2]]],
        ["in", field, ["array", []]],
        ["in", field, ["from", entity.name, ["extract", field]]],
        ["extract", field],
        ["extract", [field, ["function", "count"]], ["group_by", field]],
        ...["avg", "sum", "min", "max", "count"].map((name): Json => ["extract", [["function", name, field]]]),
        ["extract", [["function", "to_string", field, "YYYY-MM-DD"]]],
        ["extract", [["function", "to_string", field, "YYYY"], field], ["group_by", field]],
      ];
      const ordered: Json = ["from", entity.name, ["extract", [field]], ["order_by", [field]]];
      const all = [...comparisons, ...others].map((query): Json => ["from", entity.name, query]);
      return [...all, ordered];
    }),
  );
}

function queryOf(ofEntities: readonly Entity[], values: KnownValues): fc.Arbitrary<Json> {
  return fc.constantFrom(...ofEntities).chain((entity) => {
    const filter = fc.option(conditionOf(entity, values, 0), { nil: undefined, freq: 12 });
    return fc
      .tuple(filter, fc.option(columnsOf(entity), { nil: undefined }), pagingOf(entity))
      .map(([condition, columns, clauses]): Json => {
        // Groups can be ordered by nothing but the fields that make them.
        const isGrouped = columns !== undefined && columns.functions.length > 0;
        const paging = clauses.filter(([name]) => !isGrouped || name !== "order_by");
        const filters: Json[] = condition === undefined ? [] : [condition];
        const query: Json[] = columns === undefined ? filters : [extractOf(columns, filters)];
        return ["from", entity.name, ...query, ...paging];
      });
  });
}

interface Columns {
  readonly fields: readonly string[];
  readonly functions: readonly Json[];
}

function extractOf({ fields, functions }: Columns, filters: readonly Json[]): Json {
  const grouping: Json[] = functions.length > 0 && fields.length > 0 ? [["group_by", ...fields]] : [];
  return ["extract", [...fields, ...functions], ...filters, ...grouping];
}

function columnsOf(entity: Entity): fc.Arbitrary<Columns> {
  const projectable = commonNamesOf(entity).filter((name) => isProjectable(fieldNamed(entity, name)));
  const ordered = projectable.filter((name) =>
    ["string", "numeric", "timestamp"].includes(fieldNamed(entity, name)?.type ?? ""),
  );
  const fields = fc.uniqueArray(fc.constantFrom(...projectable), { maxLength: 3 });
  const count = fc.constant<Json>(["function", "count"]);
  const least =
    ordered.length === 0 ? count : fc.constantFrom(...ordered).map((name): Json => ["function", "min", name]);
  const functions = fc.array(fc.oneof(count, least), { maxLength: 1 });
  return fc.record({ fields, functions }).filter((columns) => columns.fields.length + columns.functions.length > 0);
}

function pagingOf(entity: Entity): fc.Arbitrary<[string, Json][]> {
  const fields = queryableFields(entity);
  const order = fc
    .array(fc.tuple(fc.constantFrom(...fields), fc.constantFrom("asc", "desc")), { minLength: 1, maxLength: 2 })
    .map((orders): [string, Json] => ["order_by", orders]);
  const limit = fc.constantFrom(1, 3, 100).map((value): [string, Json] => ["limit", value]);
  const offset = fc.constantFrom(0, 1, 5).map((value): [string, Json] => ["offset", value]);
  return fc
    .tuple(...[order, limit, offset].map((clause) => fc.option(clause, { nil: undefined, freq: 4 })))
    .map((clauses) => clauses.filter((clause) => clause !== undefined));
}

const DEPTH = 3;

function conditionOf(entity: Entity, values: KnownValues, depth: number): fc.Arbitrary<Json> {
  const comparison = comparisonOf(entity, values);
  if (depth === DEPTH) return comparison;
  const inner = fc.constant(depth + 1).chain((next) => conditionOf(entity, values, next));
  const junction = fc
    .tuple(fc.constantFrom("and", "or"), fc.array(inner, { minLength: 1, maxLength: 3 }))
    .map(([name, clauses]): Json => [name, ...clauses]);
  // Newer releases, which are followed, select rows without the part of a document as well (docs/reference/query.md, 5).
  const negation = inner
    .filter((clause) => !/"(?:facts|trusted|parameters)\./.test(JSON.stringify(clause)))
    .map((clause): Json => ["not", clause]);
  const state = fc.constantFrom("active", "inactive", "any").map((value): Json => ["=", "node_state", value]);
  const related = Object.keys(entity.relationships).filter((name) => compared.some((other) => other.name === name));
  const others = related.map((name) => entities[name]).filter((other) => other !== undefined);
  const subquery =
    others.length === 0
      ? comparison
      : fc
          .constantFrom(...others)
          .chain((other) =>
            conditionOf(other, values, depth + 1).map((condition): Json => ["subquery", other.name, condition]),
          );
  return fc.oneof(
    { arbitrary: comparison, weight: 6 },
    { arbitrary: junction, weight: 2 },
    { arbitrary: negation, weight: 1 },
    { arbitrary: subquery, weight: 1 },
    ...(entity.ofNodes ? [{ arbitrary: state, weight: 1 }] : []),
  );
}

/** The operators that suit a type of fields; others have `null?` alone. */
const operatorsOf: Readonly<Partial<Record<Field["type"], readonly string[]>>> = {
  string: ["=", "~", "in"],
  boolean: ["="],
  numeric: ["=", ">", "<", ">=", "<=", "in"],
  timestamp: ["=", ">", "<", ">=", "<="],
  array: ["="],
  path: ["=", "in"],
  "encoded-path": ["=", "in"],
  json: ["="],
  document: ["=", "~", ">", "<="],
};

function comparisonOf(entity: Entity, values: KnownValues): fc.Arbitrary<Json> {
  return fc.constantFrom(...commonNamesOf(entity)).chain((name): fc.Arbitrary<Json> => {
    const field = fieldNamed(entity, name);
    const isBoolean = field?.type === "boolean";
    const known = isBoolean ? [true, false] : values(entity.name, name).filter((value) => value !== null);
    const operators = field === undefined || known.length === 0 ? [] : (operatorsOf[field.type] ?? []);
    return fc.constantFrom("null?", ...operators).chain((operator): fc.Arbitrary<Json> => {
      if (operator === "null?") return fc.boolean().map((value): Json => ["null?", name, value]);
      const value = fc.constantFrom(...known);
      if (operator === "~") return value.map((text): Json => ["~", name, patternOf(text)]);
      if (operator !== "in") return value.map((operand): Json => [operator, name, operand]);
      return fc.array(value, { minLength: 1, maxLength: 3 }).map((list): Json => ["in", name, ["array", list]]);
    });
  });
}

/** A regular expression that the value matches, as some others do. */
function patternOf(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `^${text.slice(0, 4).replaceAll(/[^\w ]/g, ".")}`;
}
