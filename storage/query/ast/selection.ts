import type { Json } from "../../json.ts";
import { defaultFields, type Entity, isQueryable } from "../entities/index.ts";
import { groupKey } from "../group-key.ts";
import type { Column, Condition, Paging, Selection } from "../tree.ts";
import { type Builder, type Built, Problems, type Scope } from "./builder.ts";
import { buildColumns, buildGrouping } from "./columns.ts";
import type { EntityOptions } from "./root.ts";
import { buildComparison, buildNullTest } from "./comparison.ts";
import { buildImplicit, buildMembership } from "./membership.ts";

/**
 * An AST to the typed tree of one entity: `["extract", …]` or a bare condition, undefined for every row.
 * @throws QueryError in the peer's words
 */
export function buildSelection(
  entity: Entity,
  ast: Json | undefined,
  paging: Paging = {},
  { everyReportType = false }: EntityOptions = {},
): Selection {
  const problems = new Problems();
  const selection = new TreeBuilder(problems, !everyReportType).selection(entity, ast, paging);
  problems.throwIfAny();
  return selection;
}

/** The deepest nesting of clauses that is read; more is refused rather than exhausting the stack. */
const DEEPEST = 500;

class TreeBuilder implements Builder {
  readonly problems: Problems;
  readonly #agentsOnly: boolean;
  #depth = 0;

  /** @param agentsOnly whether reports are those of agents unless something is said of their type */
  constructor(problems: Problems, agentsOnly: boolean) {
    this.problems = problems;
    this.#agentsOnly = agentsOnly;
  }

  selection(entity: Entity, ast: Json | undefined, paging: Paging): Selection {
    const everything = (): Column[] => fieldColumns(entity, defaultFields(entity));
    if (!Array.isArray(ast) || ast[0] !== "extract") {
      const where = ast === undefined ? null : this.where({ entity, inExtract: false }, ast);
      const selection = { entity, columns: everything(), where, groupBy: null, paging };
      return this.#withAgentDefault(selection, ast === undefined ? [] : [ast]);
    }
    const [, asked, ...rest] = ast;
    if (asked === undefined || rest.length > 2) {
      this.problems.meaningless({ entity, inExtract: false }, ast);
      return { entity, columns: [], where: null, groupBy: null, paging };
    }
    const grouping = rest.at(-1);
    const isGrouped = Array.isArray(grouping) && grouping[0] === "group_by";
    const filters = isGrouped ? rest.slice(0, -1) : rest;
    const scope: Scope = { entity, inExtract: true };
    const columns = buildColumns(this.problems, entity, asked, everything);
    const clauses = filters.map((filter) => this.where(scope, filter));
    if (filters.length > 1) this.problems.meaningless(scope, filters[1] ?? null);
    const where = clauses[0] ?? null;
    const groupBy = isGrouped ? buildGrouping(this.problems, entity, grouping.slice(1), columns) : null;
    const selection = { entity, columns, where: numbersOnly(entity, columns, groupBy, where), groupBy, paging };
    checkGrouping(this.problems, selection);
    return this.#withAgentDefault(selection, filters);
  }

  subselection(entity: Entity, columns: readonly string[], filter: Json | undefined, paging: Paging): Selection {
    const where = filter === undefined ? null : this.where({ entity, inExtract: true }, filter);
    const selection = { entity, columns: fieldColumns(entity, columns), where, groupBy: null, paging };
    return this.#withAgentDefault(selection, filter === undefined ? [] : [filter]);
  }

  #withAgentDefault(selection: Selection, filters: readonly Json[]): Selection {
    return this.#agentsOnly ? withAgentDefault(selection, filters) : selection;
  }

  condition(scope: Scope, ast: Json): Built {
    if (!Array.isArray(ast)) return this.problems.meaningless({ ...scope, inExtract: false }, ast);
    const [op, ...args] = ast;
    if (op === undefined)
      return this.problems.fail("[] is not well-formed: queries must contain at least one operator");
    if (this.#depth >= DEEPEST) return this.problems.fail(`the query is nested more than ${DEEPEST} levels deep`);
    this.#depth++;
    try {
      return this.#clause(scope, ast, op, args);
    } finally {
      this.#depth--;
    }
  }

  #clause(scope: Scope, ast: Json[], op: Json, args: readonly Json[]): Built {
    switch (op) {
      case "and":
      case "or":
        return this.#junction(scope, op, args);
      case "not":
        return this.#not(scope, args);
      case "=":
      case ">":
      case "<":
      case ">=":
      case "<=":
      case "~":
      case "~>":
        return buildComparison(this, scope, op, args);
      case "null?":
        return buildNullTest(this, scope, ast, args);
      case "in":
        return buildMembership(this, scope, ast, args);
      case "subquery":
        return buildImplicit(this, scope, ast, args);
      default:
        return this.problems.meaningless(scope, ast);
    }
  }

  #junction(scope: Scope, kind: "and" | "or", args: readonly Json[]): Built {
    if (args.length === 0) return this.problems.fail(`'${kind}' takes at least one argument, but none were supplied`);
    if (kind === "or" && isEitherState(args)) return "any";
    const clauses = args.map((arg) => this.condition(scope, arg)).filter((clause) => clause !== "any");
    if (clauses.length === 0) return "any";
    const [only] = clauses;
    return clauses.length === 1 && only !== undefined ? only : { kind, clauses };
  }

  #not(scope: Scope, args: readonly Json[]): Built {
    const built = args.map((arg) => this.condition(scope, arg));
    const [clause] = built;
    if (built.length !== 1 || clause === undefined) {
      return this.problems.fail(`'not' takes exactly one argument, but ${args.length} were supplied`);
    }
    return clause === "any" ? "any" : { kind: "not", clause };
  }

  where(scope: Scope, ast: Json): Condition | null {
    const built = this.condition(scope, ast);
    return built === "any" ? null : built;
  }
}

/** Nodes that are active or not: every node, those that wait to be purged included (`reference/query.md §4.1`). */
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

/** Beside an aggregate every plain column must be grouped by. */
function checkGrouping(problems: Problems, { columns, groupBy }: Selection): void {
  const isAggregated = groupBy !== null || columns.some((column) => column.kind === "aggregate");
  if (!isAggregated) return;
  const grouped = new Set((groupBy ?? []).map(groupKey));
  const loose = columns.find((column) => column.kind !== "aggregate" && !grouped.has(groupKey(column)));
  if (loose !== undefined) {
    problems.fail(
      `column "${loose.key}" stands beside groups but is not grouped by: add it to ["group_by", …] or take it out of extract`,
    );
  }
}

/** Sums and the like over fact values look at numbers only, unless they are grouped (`reference/query.md §6`). */
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
  const guard: Condition = { kind: "json-type", ref: summed.ref, test: { kind: "equals", text: "number" } };
  return where === null ? guard : { kind: "and", clauses: [where, guard] };
}

/** Reports are those of agents unless the filter of this level says something about type (`reference/query.md §6.3`). */
function withAgentDefault(selection: Selection, filters: readonly Json[]): Selection {
  const { entity, where } = selection;
  const type = entity.fields["type"];
  if (entity.agentOnly !== true || !isQueryable(type) || filters.some(mentionsType)) return selection;
  const agent: Condition = { kind: "compare", ref: { name: "type", field: type }, op: "=", value: "agent" };
  return { ...selection, where: where === null ? agent : { kind: "and", clauses: [where, agent] } };
}

const comparisons: ReadonlySet<Json> = new Set(["=", "~", ">", "<", ">=", "<=", "null?"]);

function mentionsType(filter: Json): boolean {
  if (!Array.isArray(filter)) return false;
  const [op = null, field, source] = filter;
  if (op === "and" || op === "or" || op === "not") return filter.slice(1).some(mentionsType);
  if (op === "in") return field === "type" && Array.isArray(source) && source[0] === "array";
  return comparisons.has(op) && field === "type";
}
