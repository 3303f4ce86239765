import type { Json } from "../../json.ts";
import type { Timestamp } from "../../time.ts";
import { type Entity, isQueryable } from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import type { Condition, Selection } from "../tree.ts";
import { clojureText } from "./clojure.ts";

/** The window of time of `distinct_resources`, ends included. */
export interface DistinctWindow {
  readonly start: Timestamp;
  readonly end: Timestamp;
}

const operators: ReadonlySet<Json> = new Set(["and", "or", "not", "=", ">", "<", ">=", "<=", "~", "in", "null?"]);

/**
 * Checks a filter of `distinct_resources` queries, whose language is an older one with messages of its own
 * (`reference/query.md §8`). Hyphens in names count as underscores.
 * @returns the filter in today's spelling
 * @throws QueryError
 */
export function legacyFilter(entity: Entity, ast: Json): Json {
  if (!Array.isArray(ast) || typeof ast[0] !== "string" || !operators.has(ast[0])) {
    const op = Array.isArray(ast) ? (ast[0] ?? null) : ast;
    throw new QueryError(
      `${clojureText(ast)} is not well-formed: query operator '${typeof op === "string" ? op : clojureText(op)}' is unknown`,
    );
  }
  const [op, ...args] = ast;
  if (op === "and" || op === "or" || op === "not") return [op, ...args.map((arg) => legacyFilter(entity, arg))];
  const [name, ...rest] = args;
  if (typeof name !== "string") return ast;
  const field = name.replaceAll("-", "_");
  if (!isQueryable(Object.hasOwn(entity.fields, field) ? entity.fields[field] : undefined)) {
    throw new QueryError(`'${name}' is not a queryable object for version 4 of the resource events API`);
  }
  return [op, field, ...rest];
}

/**
 * The selection limited to the newest event of each resource and node within the window; what the filter says of
 * `latest_report?` limits the candidates too. NULLs do not survive a comparison here, so `not` includes them.
 */
export function distinctEvents(selection: Selection, { start, end }: DistinctWindow): Selection {
  const newest: Condition = { kind: "newest-of-resource", start, end, latest: latestTest(selection.where) };
  const filter = selection.where === null ? [] : [twoValued(selection.where)];
  return { ...selection, where: { kind: "and", clauses: [...filter, newest] } };
}

function latestTest(condition: Condition | null): boolean | null {
  if (condition === null) return null;
  if (condition.kind === "and" || condition.kind === "or") {
    return condition.clauses.map(latestTest).find((found) => found !== null) ?? null;
  }
  if (condition.kind === "not") return latestTest(condition.clause);
  if (condition.kind === "compare" && condition.ref.name === "latest_report?") return condition.value === true;
  return null;
}

function twoValued(condition: Condition): Condition {
  if (condition.kind === "and" || condition.kind === "or") {
    return { ...condition, clauses: condition.clauses.map(twoValued) };
  }
  if (condition.kind === "not") return { ...condition, clause: twoValued(condition.clause) };
  return { kind: "known", clause: condition };
}
