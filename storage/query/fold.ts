import type { Json } from "../json.ts";
import type { Condition, DottedRef, FieldRef, Scalar, Selection } from "./tree.ts";

/**
 * Conditions with fewer clauses stay unchanged: the engine's plans are best for everyday queries as they are written.
 */
const MIN_CLAUSES = 16;

/**
 * `and` or `or` of clauses. If there are many, equalities of one field become membership in a list, and memberships in
 * subqueries of one kind become one membership: the engine compares a row with every clause, but looks up a list once.
 * The result is the same, unknown included: `a = 1 or a = 2` is `a in (1, 2)`, and `not (a = 1) and not (a = 2)` is
 * `not (a in (1, 2))`.
 */
export function junction(kind: "and" | "or", clauses: readonly Condition[]): Condition {
  const flat = clauses.flatMap((clause) => (clause.kind === kind ? clause.clauses : [clause]));
  const joined = flat.length < MIN_CLAUSES ? flat : kind === "or" ? unions(flat) : negatedUnions(flat);
  const [only] = joined;
  return joined.length === 1 && only !== undefined ? only : { kind, clauses: joined };
}

/** `not a and not b` is `not (a or b)`. */
function negatedUnions(clauses: readonly Condition[]): Condition[] {
  const denied = clauses.flatMap((clause) => (clause.kind === "not" ? [clause.clause] : []));
  if (denied.length < MIN_CLAUSES) return [...clauses];
  const others = clauses.filter(({ kind }) => kind !== "not");
  return [...others, ...unions(denied).map((clause): Condition => ({ kind: "not", clause }))];
}

/** Clauses of which at least one must be true; clauses of the same kind are merged into one. */
function unions(clauses: readonly Condition[]): Condition[] {
  const groups = new Map<string, Group>();
  const result: (Condition | Group)[] = [];
  for (const clause of clauses) {
    const member = memberOf(clause);
    if (member === undefined) {
      result.push(clause);
      continue;
    }
    let group = groups.get(member.key);
    if (group === undefined) {
      group = { join: member.join, clauses: [] };
      groups.set(member.key, group);
      result.push(group);
    }
    group.clauses.push(clause);
  }
  return result.flatMap((each) => ("join" in each ? joinedGroup(each) : [each]));
}

interface Group {
  readonly join: (clauses: readonly Condition[]) => Condition;
  readonly clauses: Condition[];
}

function joinedGroup({ join, clauses }: Group): Condition[] {
  return clauses.length < MIN_CLAUSES ? clauses : [join(clauses)];
}

interface Member {
  /** Clauses with the same key become one. */
  readonly key: string;
  readonly join: (clauses: readonly Condition[]) => Condition;
}

function memberOf(clause: Condition): Member | undefined {
  switch (clause.kind) {
    case "compare":
      return clause.op === "=" ? scalars(clause.ref, clause.value) : undefined;
    case "one-of": {
      const [first = null] = clause.values;
      const isOfOneKind =
        first !== null && clause.values.every((value) => value !== null && kindOf(value) === kindOf(first));
      return isOfOneKind ? scalars(clause.ref, first) : undefined;
    }
    case "json":
    case "one-of-json":
      if (clause.kind === "json" && clause.op !== "=") return undefined;
      return {
        key: `json ${clause.ref.name}`,
        join: (all) => ({ kind: "one-of-json", ref: clause.ref, values: all.flatMap(jsonValues) }),
      };
    case "path":
    case "one-of-paths":
      return {
        key: `path ${clause.ref.name}`,
        join: (all) => ({ kind: "one-of-paths", ref: clause.ref, paths: all.flatMap(pathValues) }),
      };
    case "part":
      return parts(clause.ref, clause.test);
    case "in-query":
      return subqueries(clause.refs, clause.selection);
    default:
      return undefined;
  }
}

/** Texts, times, whole numbers and other numbers each have a list of their own. Booleans need none: there are two. */
function scalars(ref: FieldRef, value: Scalar): Member | undefined {
  const kind = kindOf(value);
  if (kind === "boolean") return undefined;
  return {
    key: `${kind} ${ref.name}`,
    join: (all) => ({ kind: "one-of", ref, values: all.flatMap(scalarValues) }),
  };
}

function kindOf(value: Scalar): string {
  return typeof value;
}

function scalarValues(clause: Condition): readonly (Scalar | null)[] {
  if (clause.kind === "compare") return [clause.value];
  return clause.kind === "one-of" ? clause.values : [];
}

function jsonValues(clause: Condition): readonly Json[] {
  if (clause.kind === "json") return [clause.value];
  return clause.kind === "one-of-json" ? clause.values : [];
}

function pathValues(clause: Condition): readonly (readonly (string | number)[])[] {
  if (clause.kind === "path") return [clause.path];
  return clause.kind === "one-of-paths" ? clause.paths : [];
}

/** The texts that a part of a document is compared with. */
function parts(ref: DottedRef, test: Extract<Condition, { kind: "part" }>["test"]): Member | undefined {
  const kind = test.kind === "one-of" ? test.as : test.kind;
  if (kind !== "contains" && kind !== "equals") return undefined;
  if ((test.kind === "contains" || test.kind === "equals") && typeof test.value !== "string") return undefined;
  if (ref.path.length === 0 || ref.path.some((part) => part.kind === "match")) return undefined;
  return {
    key: `${kind} ${ref.name}`,
    join: (all) => ({ kind: "part", ref, test: { kind: "one-of", as: kind, values: all.flatMap(partValues) } }),
  };
}

function partValues(clause: Condition): readonly string[] {
  if (clause.kind !== "part") return [];
  const { test } = clause;
  if (test.kind === "one-of") return test.values;
  return (test.kind === "contains" || test.kind === "equals") && typeof test.value === "string" ? [test.value] : [];
}

/**
 * Subqueries of one entity with the same columns: a row is in the result of any of them when it is in that of their
 * conditions joined by `or`.
 */
function subqueries(refs: readonly FieldRef[], selection: Selection): Member | undefined {
  const { entity, columns, where, groupBy, paging } = selection;
  const isPaged = paging.limit !== undefined || paging.offset !== undefined;
  if (where === null || groupBy !== null || isPaged) return undefined;
  const key = JSON.stringify([refs.map(({ name }) => name), entity.name, columns.map((column) => column.key)]);
  return {
    key: `query ${key}`,
    join: (all) => ({
      kind: "in-query",
      refs,
      selection: { ...selection, where: junction("or", all.flatMap(subqueryConditions)) },
    }),
  };
}

function subqueryConditions(clause: Condition): Condition[] {
  return clause.kind === "in-query" && clause.selection.where !== null ? [clause.selection.where] : [];
}
