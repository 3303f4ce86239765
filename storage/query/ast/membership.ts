import { type Json, isExactNumber } from "../../json.ts";
import {
  entities,
  type Entity,
  isQueryable,
  asListed,
  projectableFields,
  queryableFields,
  selectable,
  unknownEntity,
} from "../entities/index.ts";
import { mapOrder, quotedList } from "../errors.ts";
import { type Comparison, comparisonNamed, operatorNamed } from "../operators.ts";
import type { Column, Condition, FieldRef, Selection } from "../tree.ts";
import { invalidClause, isEmptyList, type Builder, type Built, type Scope } from "./builder.ts";
import { checkField, factCondition } from "./comparison.ts";
import { documentOf } from "./dotted.ts";
import { readOneOf } from "./operands.ts";
import { pagingOf, readPaging } from "./paging.ts";

/** `["in", fields, list or subquery]` (`reference/query.md §7`). */
export function buildMembership(builder: Builder, scope: Scope, ast: Json, args: readonly Json[]): Built {
  const [target, source] = args;
  const isFact = Array.isArray(target) && target[0] === "fact";
  const names = isFact ? [] : namesOf(target);
  if (names === undefined) return builder.problems.meaningless(ast, forms);
  const isList = args.length === 2 && Array.isArray(source) && source[0] === "array";
  const alternatives = partInList(ast);
  if (alternatives !== undefined && names.some((name) => documentOf(scope.entity, name) !== undefined)) {
    return builder.condition(scope, alternatives);
  }
  const refs = checkTargets(builder, scope, names, isList);
  if (args.length !== 2 || !Array.isArray(source)) return builder.problems.meaningless(ast, forms);
  const [head, ...rest] = source;
  if (head === "array") {
    if (rest.length !== 1) return builder.problems.meaningless(ast, `array takes one list: ${listForm}`);
    return inList(builder, scope, isFact ? target : null, refs, rest[0] ?? null);
  }
  if (isFact)
    return builder.problems.meaningless(ast, 'a fact takes a list: ["in", ["fact", name], ["array", [value, …]]]');
  if (head === "extract") return inSelect(builder, scope, ast, refs, rest);
  if (head === "from") return inFrom(builder, scope, ast, refs, rest);
  // An unknown source; PuppetDB still checks its fields as fields of this entity.
  builder.condition({ ...scope, inExtract: false }, rest[0] ?? null);
  return builder.problems.meaningless(ast, forms);
}

const listForm = '["in", field, ["array", [value, …]]]';
const fromForm = '["in", field, ["from", entity, ["extract", field, condition]]]';
const selectForm = '["in", field, ["extract", field, ["select_<entity>", condition]]]';
const forms = `in takes a field and a list or a subquery: ${listForm}, ${fromForm} or ${selectForm}`;

/**
 * `["in", "facts.x", ["array", […]]]` as alternatives that are each compared by `=`; undefined for any other clause. Unlike the list,
 * PuppetDB reads these.
 */
export function partInList(ast: Json): Json | undefined {
  const [operator, target, source, ...more] = Array.isArray(ast) ? ast : [];
  const [name, ...others] = namesOf(target) ?? [];
  const [head, list, ...rest] = Array.isArray(source) ? source : [];
  if (operator !== "in" || name?.includes(".") !== true || head !== "array" || !Array.isArray(list)) return undefined;
  if (more.length + others.length + rest.length > 0) return undefined;
  const [first = ["=", name, ""], ...values] = list.map((value): Json => ["=", name, value]);
  return list.length === 0 ? ["and", first, ["not", first]] : ["or", first, ...values];
}

/** `["subquery", entity, filter]`: membership by the declared relationship (`reference/entities.md §2`). */
export function buildImplicit(builder: Builder, scope: Scope, ast: Json, args: readonly Json[]): Condition {
  const [name, given] = args;
  const filter = isEmptyList(given) ? null : given;
  if (args.length !== 2 || typeof name !== "string" || filter === undefined) {
    return builder.problems.meaningless(
      ast,
      'subquery takes an entity and a condition: ["subquery", entity, condition]',
    );
  }
  const entity = selectable.get(name) ?? unknownEntity;
  const relationship = Object.hasOwn(scope.entity.relationships, name) ? scope.entity.relationships[name] : undefined;
  if (relationship === undefined) {
    if (filter !== null) builder.problems.within(() => builder.condition({ entity, inExtract: false }, filter));
    return builder.problems.formError(`No implicit relationship for entity '${name}'`);
  }
  const selection = builder.problems.within(() => builder.subselection(entity, relationship.foreign, filter, {}));
  return { kind: "in-query", refs: refsOf(scope.entity, relationship.local), selection };
}

function namesOf(target: Json | undefined): string[] | undefined {
  if (typeof target === "string") return [target];
  if (!Array.isArray(target) || target.length === 0) return undefined;
  return target.every((name) => typeof name === "string") ? target : undefined;
}

function checkTargets(builder: Builder, scope: Scope, names: readonly string[], isList: boolean): FieldRef[] {
  const { entity } = scope;
  const [name, ...more] = names;
  // PuppetDB has two messages for this error.
  if (isList && name !== undefined && more.length === 0) {
    const field = checkField(builder, scope, "in", name);
    return field === undefined ? [] : [{ name, field }];
  }
  const unknown = names.filter((name) => !isQueryable(own(entity, name)));
  if (unknown.length > 0) {
    builder.problems.field(
      `Can't match on unknown '${entity.alias}' ${fieldList(unknown)} for 'in'. Acceptable fields are ${quotedList(queryableFields(entity).sort())}`,
    );
  }
  return refsOf(entity, names);
}

function refsOf(entity: Entity, names: readonly string[]): FieldRef[] {
  return names.flatMap((name) => {
    const field = own(entity, name);
    return field === undefined ? [] : [{ name, field }];
  });
}

function own(entity: Entity, name: string): FieldRef["field"] | undefined {
  return Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
}

/** `field 'a'`, `fields 'a' and 'b'`. */
export function fieldList(names: readonly string[]): string {
  return `${names.length === 1 ? "field" : "fields"} ${quotedList(names)}`;
}

function inList(builder: Builder, scope: Scope, fact: Json[] | null, refs: readonly FieldRef[], list: Json): Condition {
  if (!Array.isArray(list)) return builder.problems.otherError("Operator array requires a vector argument");
  if (fact !== null) return factInList(builder, scope, fact, list);
  const [ref, ...more] = refs;
  if (ref === undefined) return invalidClause;
  if (more.length > 0) {
    return builder.problems.otherError(
      'in … array takes one field; for several write ["or", ["and", ["=", field, value], …], …]',
    );
  }
  return builder.problems.attempt(() => readOneOf(ref, list));
}

/** `["in", ["fact", n], ["array", […]]]`: unlike with other operators, the fact's name is literal here. */
function factInList(builder: Builder, scope: Scope, fact: readonly Json[], list: readonly Json[]): Condition {
  const [, name] = fact;
  if (new Set(list.map(jsonKind)).size !== 1)
    return builder.problems.formError("All values in array must be the same type.");
  const { facts } = entities;
  const certname = own(scope.entity, "certname");
  const [nameField, valueField] = [facts?.fields["name"], facts?.fields["value"]];
  if (facts === undefined || nameField === undefined || valueField === undefined) return invalidClause;
  if (fact.length !== 2 || typeof name !== "string" || certname === undefined) {
    return builder.problems.otherError(
      `${JSON.stringify(fact)} is not a field of ${scope.entity.alias}; write ["fact", name]`,
    );
  }
  const where: Condition = {
    kind: "and",
    clauses: [
      { kind: "compare", ref: { name: "name", field: nameField }, op: "=", value: name },
      { kind: "one-of-json", ref: { name: "value", field: valueField }, values: list },
    ],
  };
  const selection: Selection = {
    entity: facts,
    columns: fieldColumns(facts, ["certname"]),
    where,
    groupBy: null,
    paging: {},
  };
  return { kind: "in-query", refs: [{ name: "certname", field: certname }], selection };
}

/** Integers and floats are different kinds here. */
function jsonKind(value: Json): string {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "float";
  if (isExactNumber(value)) return /^-?\d+$/.test(value.rawJSON) ? "integer" : "float";
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** `["extract", columns, ["select_X", filter?]]`. */
function inSelect(
  builder: Builder,
  scope: Scope,
  ast: Json,
  refs: readonly FieldRef[],
  args: readonly Json[],
): Condition {
  const [columns = null, select] = args;
  const [operator, filter, ...more] = Array.isArray(select) ? select : [];
  const names = namesOf(columns);
  if (args.length !== 2 || names === undefined || more.length > 0 || typeof operator !== "string") {
    return builder.problems.meaningless(ast, `write ${selectForm}`);
  }
  const entity = operator.startsWith(selectPrefix) ? selectable.get(operator.slice(selectPrefix.length)) : undefined;
  if (entity === undefined) return unknownSelect(builder, ast, operator);
  const asFact = factShape(entity, names, columns, filter);
  if (asFact !== undefined && own(scope.entity, asFact.column) !== undefined) {
    const { column, name, operator, value } = asFact;
    const condition = builder.problems.attempt(() => factCondition(scope.entity, column, name, operator, value));
    return condition.kind === "in-query" ? tupleIn(builder, scope, refs, condition.selection) : invalidClause;
  }
  if (filter === undefined && entity.agentOnly !== true) {
    // PuppetDB reads this as an extract of the entity around it, except where it adds the filter `type = agent` before.
    checkExtracted(builder, scope.entity, names, mapOrder(asListed(scope.entity, projectableFields(scope.entity))));
  }
  checkExtracted(builder, entity, names, queryableFields(entity).sort());
  const found = builder.problems.within(() =>
    builder.subselection(entity, names, isEmptyList(filter) ? null : filter, {}),
  );
  return tupleIn(builder, scope, refs, found);
}

const selectPrefix = "select_";

function unknownSelect(builder: Builder, ast: Json, operator: string): Condition {
  if (operatorNamed(operator)?.form === "junction") return builder.problems.meaningless(ast, `write ${selectForm}`);
  const underscored = operator.replaceAll("-", "_");
  const hint = selectable.has(underscored.slice(selectPrefix.length)) ? ` - did you mean \`${underscored}\`?` : "";
  return builder.problems.field(`Unsupported subquery \`${operator}\`${hint}`);
}

interface FactShape {
  column: string;
  name: string;
  operator: Comparison;
  value: Json;
}

/**
 * The only nested subquery that PuppetDB turns into a path into the inventory, like `["fact", n]`: one bare column,
 * exactly two clauses, the name first (`reference/query.md §4.1`).
 */
function factShape(
  entity: Entity,
  names: readonly string[],
  columns: Json,
  filter: Json | undefined,
): FactShape | undefined {
  const [column] = names;
  if (entity.name !== "facts" || typeof columns !== "string" || !Array.isArray(filter)) return undefined;
  if (column !== "certname" && column !== "environment") return undefined;
  const [and, nameTest, valueTest, ...more] = filter;
  if (and !== "and" || more.length > 0 || !Array.isArray(nameTest) || !Array.isArray(valueTest)) return undefined;
  const [nameOp, nameField, name] = nameTest;
  const [op, valueField, value] = valueTest;
  if (nameOp !== "=" || nameField !== "name" || typeof name !== "string" || nameTest.length !== 3) return undefined;
  if (valueField !== "value" || valueTest.length !== 3 || value === undefined || Array.isArray(value)) return undefined;
  const operator = comparisonNamed(op);
  if (operator?.onPart === undefined || value === null) return undefined;
  if (typeof value === "string" && !operator.factOperands.includes("string")) return undefined;
  return { column, name, operator, value };
}

/** `["from", X, ["extract", columns, filter?], paging…]`. */
function inFrom(
  builder: Builder,
  scope: Scope,
  ast: Json,
  refs: readonly FieldRef[],
  args: readonly Json[],
): Condition {
  const [name, query, ...clauses] = args;
  const [head, columns, filter, ...more] = Array.isArray(query) ? query : [];
  const names = namesOf(columns);
  const isGrouped = Array.isArray(filter) && filter[0] === "group_by";
  if (typeof name !== "string" || head !== "extract" || names === undefined || more.length > 0 || isGrouped) {
    return builder.problems.meaningless(ast, `write ${fromForm}`);
  }
  const entity = selectable.get(name) ?? unknownEntity;
  const paging = builder.problems.attemptValue(() => pagingOf(entity, readPaging(clauses))) ?? {};
  const found = builder.problems.within(() => {
    checkExtracted(builder, entity, names, mapOrder(asListed(entity, projectableFields(entity))));
    return builder.subselection(entity, names, filter, paging);
  });
  return tupleIn(builder, scope, refs, found);
}

/** Records the names that a subquery's extract does not accept. */
function checkExtracted(
  builder: Builder,
  entity: Entity,
  names: readonly string[],
  acceptable: readonly string[],
): void {
  const unknown = names.filter((name) => !acceptable.includes(name));
  if (unknown.length === 0) return;
  builder.problems.field(
    `Can't extract unknown '${entity.alias}' ${fieldList(unknown)}. Acceptable fields are ${quotedList(acceptable)}`,
  );
}

function fieldColumns(entity: Entity, names: readonly string[]): Column[] {
  return refsOf(entity, names).map((ref) => ({ kind: "field", key: ref.name, ref }));
}

function tupleIn(builder: Builder, scope: Scope, refs: readonly FieldRef[], found: Selection): Condition {
  // PuppetDB ignores more columns than fields.
  if (found.columns.length < refs.length) {
    return builder.problems.otherError(
      `in compares ${refs.length} fields of ${scope.entity.alias} with ${found.columns.length} of the subquery; extract as many`,
    );
  }
  return { kind: "in-query", refs, selection: { ...found, columns: found.columns.slice(0, refs.length) } };
}
