import { type Json, isNumber } from "../../json.ts";
import { canonicalText } from "../../hash/canonical.ts";
import { entities, type Entity, type Field, isProjectable, isQueryable, queryableFields } from "../entities/index.ts";
import { FormError, QueryError, quotedList } from "../errors.ts";
import { type Comparison, unsupportedOperator, readComparison } from "../operators.ts";
import { type Condition, type DottedRef, type PathPart, typeOf } from "../tree.ts";
import { invalidClause, type Builder, type Built, type Scope } from "./builder.ts";
import { operandText } from "./clojure.ts";
import { digitsAsKeys, documentOf, dottedRef, factRef, valueNamed } from "./dotted.ts";

/** `[op, field, operand]`, where the field may also be `["fact", n]`, `["parameter", n]` and similar. */
export function buildComparison(builder: Builder, scope: Scope, operator: Comparison, args: readonly Json[]): Built {
  const { problems } = builder;
  const [name, operand = null] = args;
  // PuppetDB checks the number of arguments before their types.
  if (args.length !== 2 || name === undefined)
    return problems.formError(`${operator.ast} requires exactly two arguments`);
  if (typeof name === "string") return compareField(builder, scope, operator, name, operand);
  if (!Array.isArray(name)) return unknownField(builder, scope, operator.ast, operandText(name));
  const [kind, ...rest] = name;
  switch (kind) {
    case "node":
      return nodeActive(builder, scope, operator, rest, operand);
    case "fact":
      return problems.attempt(() => compareFact(scope.entity, operator, rest, operand));
    case "parameter":
      return problems.attempt(() => compareParameter(scope.entity, operator, rest, operand));
    case "function":
      return problems.attempt(() => compareFunction(scope.entity, operator, rest, operand));
    default:
      return problems.formError(
        `${JSON.stringify(name)} is not a field; write a field's name, ["fact", name] or ["parameter", name]`,
      );
  }
}

/** `["null?", field, true|false]`. */
export function buildNullTest(builder: Builder, scope: Scope, ast: Json, args: readonly Json[]): Condition {
  const [name, wanted] = args;
  if (args.length !== 2 || typeof name !== "string") {
    return builder.problems.meaningless(ast, 'null? takes a field and true or false: ["null?", field, true]');
  }
  // Any value but false and null counts as true.
  const isNull = wanted !== false && wanted !== null;
  const document = documentOf(scope.entity, name);
  if (document !== undefined) {
    return builder.problems.attempt(() => ({
      kind: "part",
      ref: literalRef(document, name),
      test: { kind: "null", isNull },
    }));
  }
  const own = Object.hasOwn(scope.entity.fields, name) ? scope.entity.fields[name] : undefined;
  // Whole records, such as the edges of a catalog, have no other operator. They are never null, at most empty.
  if (isProjectable(own) && own.type === "expanded") return { kind: "constant", value: !isNull };
  // PuppetDB reports an unknown field here only where it finds no other error.
  if (!isQueryable(own)) return builder.problems.otherError(unknownFieldText(scope.entity, name));
  return { kind: "null", ref: { name, field: own }, isNull };
}

/** The field with this name; undefined, with the error recorded, where there is none. */
export function checkField(builder: Builder, scope: Scope, op: string, name: string): Field | undefined {
  const { entity } = scope;
  const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
  if (isQueryable(field)) return field;
  unknownField(builder, scope, op, name);
  return undefined;
}

function unknownField(builder: Builder, { entity }: Scope, op: string, name: string): Condition {
  // PuppetDB checks only the type of the field here.
  if (op === "~>") return builder.problems.formError(`Query operator ~> is not allowed on field ${name}`);
  return builder.problems.field(unknownFieldText(entity, name));
}

/**
 * The message about a field that an entity does not have.
 * @param more known names besides those of the entity
 */
export function unknownFieldText(entity: Entity, name: string, more: readonly string[] = []): string {
  const known = [...queryableFields(entity), ...more].sort();
  return `'${name}' is not a queryable object for ${entity.alias}. ${
    known.length > 0
      ? `Known queryable objects are ${quotedList(known)}`
      : `Entity ${entity.alias} has no queryable objects`
  }`;
}

function compareField(builder: Builder, scope: Scope, operator: Comparison, name: string, operand: Json): Built {
  if (name === "node_state") return nodeState(builder, scope, operator, operand);
  if (operator.ast === "=" && name === "type" && operand === "any") {
    return checkField(builder, scope, operator.ast, name) === undefined ? invalidClause : "any";
  }
  const document = documentOf(scope.entity, name);
  if (document !== undefined) {
    return builder.problems.attempt(() => comparePart(dottedRef(document, name), operator, operand));
  }
  const field = checkField(builder, scope, operator.ast, name);
  if (field === undefined) return invalidClause;
  // Operators without a rule for documents compare `trusted` as the fact of that name.
  const prefix = field.parts?.prefix;
  if (prefix !== undefined && operator.fields.document === undefined && operator.onPart !== undefined) {
    const path = prefix.map((part): PathPart => ({ kind: "key", name: part }));
    return builder.problems.attempt(() => comparePart({ name, field, path }, operator, operand));
  }
  return builder.problems.attempt(() => readComparison({ name: shownName(name, field), field }, operator, operand));
}

/** The name of the field in messages: PuppetDB reads `tag` as `tags`. */
function shownName(name: string, field: Field): string {
  return field.lowerCase === true ? "tags" : name;
}

/** `facts.a.b op operand`, and `["fact", "a.b"]`. */
function comparePart(ref: DottedRef, operator: Comparison, operand: Json): Condition {
  if (operator.onPart === undefined) throw unsupportedOperator(operator, ref.name);
  const hasIndex = ref.path.some(({ kind }) => kind === "index");
  // Only `=` without an index reads digits as indexes too.
  const read = operator.ast === "=" && !hasIndex ? ref : digitsAsKeys(ref);
  return { kind: "part", ref: read, test: operator.onPart(read, operand) };
}

/** In `null?` every component is a literal name: there are no indexes and no match(), and digits are keys. */
function literalRef(field: Field, name: string): DottedRef {
  const ref = dottedRef(field, name);
  const path = ref.path.flatMap((part) => {
    if (part.kind === "match") return [{ kind: "key" as const, name: `match("${part.pattern}")` }];
    if (part.kind === "index") return [];
    return [{ kind: "key" as const, name: part.name }];
  });
  return { ...ref, path };
}

const nodeStates = ["active", "inactive", "any"] as const;

function nodeState(builder: Builder, scope: Scope, operator: Comparison, operand: Json): Built {
  const state = typeof operand === "string" ? nodeStates.find((known) => known === operand.toLowerCase()) : undefined;
  if (operator.ast !== "=") return builder.problems.formError(unsupportedOperator(operator, "node_state").message);
  if (state === undefined) {
    const shown = operand === null ? "" : operandText(operand).toLowerCase();
    return builder.problems.formError(`No matching clause: ${shown}`);
  }
  return state === "any" ? "any" : nodeStateCondition(builder, scope, state);
}

function nodeActive(
  builder: Builder,
  scope: Scope,
  operator: Comparison,
  rest: readonly Json[],
  operand: Json,
): Condition {
  if (operator.ast !== "=" || rest.length !== 1 || rest[0] !== "active") {
    return builder.problems.formError(
      `${JSON.stringify(["node", ...rest])} is not a field; write ["=", ["node", "active"], true] or false`,
    );
  }
  // Any value but false and null counts as true.
  return nodeStateCondition(builder, scope, operand !== false && operand !== null ? "active" : "inactive");
}

function nodeStateCondition(builder: Builder, scope: Scope, state: "active" | "inactive"): Condition {
  if (!scope.entity.ofNodes) {
    return builder.problems.otherError(
      `rows of ${scope.entity.alias} do not belong to nodes, so they have no node_state; remove it`,
    );
  }
  return { kind: "node-state", state };
}

/** `[op, ["fact", n], v]`: nodes whose fact n, as a path into the inventory, has that value. */
function compareFact(entity: Entity, operator: Comparison, rest: readonly Json[], operand: Json): Condition {
  const [name] = rest;
  if (rest.length !== 1 || typeof name !== "string") {
    throw new QueryError(`${JSON.stringify(["fact", ...rest])} is not a field; write ["fact", name]`);
  }
  const kind = isNumber(operand) ? "number" : typeof operand;
  if (!operator.factOperands.some((known) => known === kind)) {
    const message = `Operator '${operator.ast}' not allowed on value '${operandText(operand)}'`;
    throw operator.patterns === undefined ? new FormError(message) : new QueryError(message);
  }
  return factCondition(entity, "certname", name, operator, operand);
}

/** Rows of the entity whose `column` is among those of the nodes with such a fact. */
export function factCondition(
  entity: Entity,
  column: string,
  name: string,
  operator: Comparison,
  operand: Json,
): Condition {
  const { inventory } = entities;
  const local = entity.fields[column];
  const foreign = inventory?.fields[column];
  if (inventory === undefined || local === undefined || foreign === undefined) {
    throw new QueryError(`rows of ${entity.alias} have no ${column}, so they cannot be selected by facts`);
  }
  return {
    kind: "in-query",
    refs: [{ name: column, field: local }],
    selection: {
      entity: inventory,
      columns: [{ kind: "field", key: column, ref: { name: column, field: foreign } }],
      where: comparePart(factRef(inventory, name), operator, operand),
      groupBy: null,
      paging: {},
    },
  };
}

/** `["=", ["parameter", n], v]`; with `~` both are patterns. Values are compared serialized (`reference/query.md §4.3`). */
function compareParameter(entity: Entity, operator: Comparison, rest: readonly Json[], operand: Json): Condition {
  const [name] = rest;
  const key = entity.fields["parameters"]?.parts?.key;
  if (key === undefined || rest.length !== 1 || typeof name !== "string") {
    throw new QueryError(
      `${JSON.stringify(["parameter", ...rest])} is not a field of ${entity.alias}; write ["parameter", name] on resources`,
    );
  }
  if (operator.onText === undefined) {
    throw new QueryError(
      `Query operator ${operator.ast} is not allowed on parameters; write it on "parameters.${name}"`,
    );
  }
  const { onText } = operator;
  return { kind: "parameter", key, name: onText(name), value: onText(canonicalText(operand, "symbols")) };
}

/** `[op, ["function", "jsonb_typeof", field], type]`. */
function compareFunction(entity: Entity, operator: Comparison, rest: readonly Json[], operand: Json): Condition {
  // PuppetDB checks the form of the field for this operator alone.
  if (operator.ast === "~") throw new FormError("Invalid ~ clause");
  const [fn, ...args] = rest;
  if (fn === "to_string" && args.length !== 2) {
    throw new QueryError(`wrong number of arguments (${args.length}) provided for function to_string`);
  }
  if (fn !== "jsonb_typeof") throw new QueryError(`"${operandText(fn ?? null)}" is not a valid function`);
  const [name] = args;
  if (args.length !== 1 || typeof name !== "string") {
    throw new QueryError(`wrong number of arguments (${args.length}) provided for function jsonb_typeof`);
  }
  const ref = valueNamed(entity, name);
  if (ref === undefined || typeOf(ref) !== "json") {
    throw new QueryError(`jsonb_typeof takes a field that contains JSON, not "${name}"`);
  }
  if (typeof operand !== "string" || operator.onText === undefined) {
    throw new QueryError(
      `jsonb_typeof is compared by = with the name of a type, not with ${operator.ast} ${operandText(operand)}`,
    );
  }
  return { kind: "json-type", ref, test: operator.onText(operand) };
}
