import type { Json } from "../../json.ts";
import { defaultFields, type Entity, isQueryable } from "../entities/index.ts";
import { junction } from "../fold.ts";
import { groupKey } from "../group-key.ts";
import { MAX_DEPTH } from "../limits.ts";
import { mentionsField, operatorNamed, operators } from "../operators.ts";
import { type Column, type Condition, type Paging, type Selection, typeOf } from "../tree.ts";
import { type Builder, type Built, Problems, type Scope } from "./builder.ts";
import { clojureText } from "./clojure.ts";
import { buildColumns, buildGrouping } from "./columns.ts";
import { pagingOf, type WantedPaging } from "./paging.ts";
import type { EntityOptions } from "./root.ts";
import { buildComparison, buildNullTest } from "./comparison.ts";
import { buildImplicit, buildMembership } from "./membership.ts";

/**
 * Turns an AST into the typed tree of one entity: `["extract", …]` or a bare condition, undefined for every row.
 * @throws QueryError with PuppetDB's message
 */
export function buildSelection(
  entity: Entity,
  ast: Json | undefined,
  paging: WantedPaging = {},
  { everyReportType = false }: EntityOptions = {},
): Selection {
  const problems = new Problems();
  const selection = new TreeBuilder(problems, !everyReportType, entity.name === "events").selection(
    entity,
    ast,
    paging,
  );
  problems.throwIfAny();
  return selection;
}

const extractForm = 'write ["extract", fields, condition, ["group_by", field, …]], the last two if need be';
const conditionForm = "a condition is an array of an operator and what it takes";

function unknownOperator(op: string): string {
  const known = operators.map(({ ast }) => ast).join(", ");
  return `'${op}' is not an operator; a condition begins with one of ${known}`;
}

/** PuppetDB's message about an operator that is unknown inside extract. */
function notInExtract(ast: Json): string {
  return `${clojureText(ast)} is not a valid expression for "extract"`;
}

class TreeBuilder implements Builder {
  readonly problems: Problems;
  readonly #agentsOnly: boolean;
  readonly #anyCase: boolean;
  #depth = 0;

  /**
   * @param agentsOnly whether reports are those of agents unless the filter mentions their type
   * @param anyCase whether operators may be in upper case
   */
  constructor(problems: Problems, agentsOnly: boolean, anyCase: boolean) {
    this.problems = problems;
    this.#agentsOnly = agentsOnly;
    this.#anyCase = anyCase;
  }

  selection(entity: Entity, ast: Json | undefined, wanted: WantedPaging): Selection {
    const everything = (): Column[] => fieldColumns(entity, defaultFields(entity));
    if (!Array.isArray(ast) || ast[0] !== "extract") {
      const paging = pagingOf(entity, wanted);
      const where = this.#optional({ entity, inExtract: false }, ast);
      return this.#withAgentDefault({ entity, columns: everything(), where, groupBy: null, paging }, ast);
    }
    const [, requested, ...rest] = ast;
    if (requested === undefined || rest.length > 2) {
      this.problems.meaningless(ast, extractForm);
      return { entity, columns: [], where: null, groupBy: null, paging: pagingOf(entity, wanted) };
    }
    const grouping = rest.at(-1);
    const isGrouped = Array.isArray(grouping) && grouping[0] === "group_by";
    const filters = isGrouped ? rest.slice(0, -1) : rest;
    const scope: Scope = { entity, inExtract: true };
    const columns = buildColumns(this.problems, entity, requested, everything);
    const paging = pagingOf(entity, wanted, columns);
    const clauses = filters.map((filter) => this.#optional(scope, filter));
    if (filters.length > 1) this.problems.meaningless(ast, extractForm);
    const where = clauses[0] ?? null;
    const groupBy = isGrouped ? buildGrouping(this.problems, entity, grouping.slice(1), columns) : null;
    const selection = { entity, columns, where: numbersOnly(entity, columns, groupBy, where), groupBy, paging };
    checkGrouping(this.problems, selection);
    return this.#withAgentDefault(selection, filters[0]);
  }

  subselection(entity: Entity, columns: readonly string[], filter: Json | undefined, paging: Paging): Selection {
    const where = this.#optional({ entity, inExtract: true }, filter);
    const selection = { entity, columns: fieldColumns(entity, columns), where, groupBy: null, paging };
    return this.#withAgentDefault(selection, filter);
  }

  #withAgentDefault(selection: Selection, filter: Json | undefined): Selection {
    return this.#agentsOnly ? withAgentDefault(selection, filter ?? null) : selection;
  }

  /** A condition that may be left out; null is the same as none. */
  #optional(scope: Scope, ast: Json | undefined): Condition | null {
    if (ast === undefined || ast === null) return null;
    const built = this.condition(scope, ast);
    return built === "any" ? null : built;
  }

  condition(scope: Scope, ast: Json): Built {
    if (!Array.isArray(ast)) return this.problems.meaningless(ast, conditionForm);
    const [op, ...args] = ast;
    if (op === undefined) {
      if (scope.inExtract) return this.problems.field(notInExtract(ast));
      return this.problems.formError("[] is not well-formed: queries must contain at least one operator");
    }
    // Where the size of the query was not checked before, deeper nesting would exhaust the stack.
    if (this.#depth >= MAX_DEPTH)
      return this.problems.formError(`the query is nested more than ${MAX_DEPTH} levels deep`);
    this.#depth++;
    try {
      return this.#clause(scope, ast, op, args);
    } finally {
      this.#depth--;
    }
  }

  #clause(scope: Scope, ast: Json[], head: Json, args: readonly Json[]): Built {
    const op = this.#anyCase && typeof head === "string" ? head.toLowerCase() : head;
    const operator = operatorNamed(op);
    switch (operator?.form) {
      case "junction":
        return operator.ast === "not" ? this.#not(scope, args) : this.#junction(scope, operator.ast, args);
      case "comparison":
        return buildComparison(this, scope, operator, args);
      case "null test":
        return buildNullTest(this, scope, ast, args);
      case "membership":
        return buildMembership(this, scope, ast, args);
      case "subquery":
        return buildImplicit(this, scope, ast, args);
      default:
        if (scope.inExtract) return this.problems.field(notInExtract(ast));
        return this.problems.meaningless(ast, typeof op === "string" ? unknownOperator(op) : conditionForm);
    }
  }

  #junction(scope: Scope, kind: "and" | "or", args: readonly Json[]): Built {
    if (args.length === 0)
      return this.problems.formError(`'${kind}' takes at least one argument, but none were supplied`);
    if (kind === "or" && isEitherState(args)) return "any";
    const clauses = args.map((arg) => this.condition(scope, arg)).filter((clause) => clause !== "any");
    return clauses.length === 0 ? "any" : junction(kind, clauses);
  }

  #not(scope: Scope, args: readonly Json[]): Built {
    const built = args.map((arg) => this.condition(scope, arg));
    const [clause] = built;
    if (built.length !== 1 || clause === undefined) {
      return this.problems.formError(`'not' takes exactly one argument, but ${args.length} were supplied`);
    }
    return clause === "any" ? "any" : { kind: "not", clause };
  }
}

/**
 * Matches nodes of either state, which selects every node, including those that wait to be purged
 * (`reference/query.md §4.1`).
 */
function isEitherState(args: readonly Json[]): boolean {
  const states = args.slice(0, 3).map(nodeActiveOperand);
  return states.length === 2 && states.includes(true) && states.includes(false);
}

/** The operand of `["=", ["node", "active"], operand]`. */
function nodeActiveOperand(ast: Json): Json | undefined {
  if (!Array.isArray(ast) || ast.length !== 3 || ast[0] !== "=") return undefined;
  const [, field, operand] = ast;
  return Array.isArray(field) && field[0] === "node" && field[1] === "active" ? operand : undefined;
}

export function fieldColumns(entity: Entity, names: readonly string[]): Column[] {
  return names.flatMap((name): Column[] => {
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
    return field === undefined ? [] : [{ kind: "field", key: name, ref: { name, field } }];
  });
}

/** With aggregates, every plain column must be grouped by. */
function checkGrouping(problems: Problems, { columns, groupBy }: Selection): void {
  const isAggregated = groupBy !== null || columns.some((column) => column.kind === "aggregate");
  if (!isAggregated) return;
  const grouped = new Set((groupBy ?? []).map(groupKey));
  const isGrouped = (column: Column): boolean => {
    if (grouped.has(groupKey(column))) return true;
    // What is computed of a grouped column is the same for each row of a group. Values of facts are grouped by another column.
    return column.kind === "to_string" && typeOf(column.ref) !== "json" && grouped.has(column.ref.name);
  };
  const loose = columns.find((column) => column.kind !== "aggregate" && !isGrouped(column));
  if (loose !== undefined) {
    problems.otherError(`column "${loose.key}" is not grouped by: add it to ["group_by", …] or remove it from extract`);
  }
}

/** Sums and averages of fact values consider numbers only, unless rows are grouped, as in OpenVoxDB 9 (`reference/query.md §6`). */
function numbersOnly(
  entity: Entity,
  columns: readonly Column[],
  groupBy: readonly Column[] | null,
  where: Condition | null,
): Condition | null {
  if (entity.name !== "facts" || groupBy !== null) return where;
  const summed = columns.find(
    (column) => column.kind === "aggregate" && column.fn !== "count" && column.ref?.field.type === "json",
  );
  if (summed?.kind !== "aggregate" || summed.ref === null) return where;
  const guard: Condition = { kind: "json-type", ref: summed.ref, test: { kind: "compares", op: "=", text: "number" } };
  return where === null ? guard : { kind: "and", clauses: [where, guard] };
}

/** Reports are those of agents unless the filter of this level mentions the type (`reference/query.md §6.3`). */
function withAgentDefault(selection: Selection, filter: Json): Selection {
  const { entity, where } = selection;
  const type = entity.fields["type"];
  if (entity.agentOnly !== true || !isQueryable(type) || mentionsField(filter, "type")) return selection;
  const agent: Condition = { kind: "compare", ref: { name: "type", field: type }, op: "=", value: "agent" };
  return { ...selection, where: where === null ? agent : { kind: "and", clauses: [where, agent] } };
}
