import type { Database } from "../engine/database.ts";
import type { ReadOptions, Statement } from "../engine/statements.ts";
import type { Rows } from "../engine/rows.ts";
import { CensusError, messageOf } from "../errors.ts";
import type { Json } from "../json.ts";
import { distinctEvents, type DistinctWindow, legacyFilter } from "./ast/legacy-events.ts";
import { readComparison } from "./ast/operands.ts";
import { readOrder } from "./ast/paging.ts";
import { type EntityOptions, entityNamed, mentionsNodeState, readFrom } from "./ast/root.ts";
import { buildSelection } from "./ast/selection.ts";
import { compileCount, compileRows, type CompileContext, mistakeMark } from "./compile/statement.ts";
import { QueryError } from "./errors.ts";
import { parsePql } from "./pql/parse.ts";
import type { Condition, Paging, Selection } from "./tree.ts";

/** A question as a client puts it: where it asks, what, and how much of the answer it wants. */
export interface Question {
  /** An entity's own endpoint, or the root, where the query names the entity. */
  readonly of: EntityTarget | "root";
  readonly query?: Json;
  /** PQL instead of `query`; at the root only. */
  readonly pql?: string;
  readonly orderBy?: readonly { readonly field: string; readonly descending: boolean }[];
  readonly limit?: bigint;
  readonly offset?: bigint;
  readonly options?: EntityOptions;
  /** Events: only the newest of each resource and node within this window. */
  readonly distinct?: DistinctWindow;
}

export interface EntityTarget {
  readonly entity: string;
  /** Rows of active nodes only, unless the query says something about node_state. */
  readonly activeOnly: boolean;
  /** Fields that a route fixes, e.g. certname for `/nodes/<n>/facts`. */
  readonly restrictions?: Readonly<Record<string, string>>;
}

/** A question ready to be asked of the engine. */
export interface Plan {
  readonly rows: Statement;
  /** Counts the rows before limit and offset. */
  readonly total: () => Statement;
  /** What is to be asked instead once something that this relies on is no longer so; undefined: all of it is. */
  readonly instead?: () => Plan | undefined;
}

/** Root entities that are not limited to active nodes; exactly these spellings (`reference/entities.md §4`). */
const unrestrictedAtRoot: ReadonlySet<string> = new Set(["fact_paths", "environments", "packages"]);

/**
 * Text or AST → tree → one SQL statement.
 * @throws QueryError (or PqlSyntaxError) saying what is wrong with the question
 */
export function planQuery(question: Question, context: CompileContext): Plan {
  const ast = astOf(question);
  const selection = question.of === "root" ? rootSelection(question, ast) : entitySelection(question, question.of, ast);
  return { rows: compileRows(selection, context), total: () => compileCount(selection, context) };
}

/** A question as a tree, for those who compile it their own way. */
export function selectionOf(question: Question & { readonly of: EntityTarget }): Selection {
  return entitySelection(question, question.of, astOf(question));
}

/** The question as AST: what PQL stands for, or the AST itself. */
export function astOf(question: Pick<Question, "query" | "pql">): Json | undefined {
  return question.pql === undefined ? question.query : parsePql(question.pql);
}

function rootSelection(question: Question, ast: Json | undefined): Selection {
  const from = readFrom(ast, question.options);
  const paging = { ...from.paging, ...pagingOf(question, from.entity) };
  const selection = buildSelection(from.entity, from.query, paging, question.options);
  const isLimited = from.entity.ofNodes && !unrestrictedAtRoot.has(from.name) && !mentionsNodeState(ast);
  return isLimited ? restricted(selection, [{ kind: "node-state", state: "active" }]) : selection;
}

function entitySelection(question: Question, target: EntityTarget, ast: Json | undefined): Selection {
  const entity = entityNamed(target.entity, question.options);
  if (entity === undefined) throw new QueryError(`Invalid entity '${target.entity}' in query`);
  if (Array.isArray(ast) && ast[0] === "from") {
    throw new QueryError(`["from", …] belongs at the root endpoint, /pdb/query/v4; here write the condition alone`);
  }
  const { distinct } = question;
  const filter = distinct === undefined || ast === undefined ? ast : legacyFilter(entity, ast);
  const built = buildSelection(entity, filter, pagingOf(question, entity), question.options);
  const selection = distinct === undefined ? built : distinctEvents(built, distinct);
  const conditions = Object.entries(target.restrictions ?? {}).map(([name, value]): Condition => {
    const field = entity.fields[name];
    if (field === undefined) throw new Error(`${target.entity} has no ${name}`);
    return readComparison({ name, field }, "=", value);
  });
  if (target.activeOnly && !mentionsNodeState(ast)) conditions.push({ kind: "node-state", state: "active" });
  return restricted(selection, conditions);
}

function pagingOf(question: Question, entity: Selection["entity"]): Paging {
  const { orderBy, limit, offset } = question;
  return {
    ...(orderBy === undefined || orderBy.length === 0 ? {} : { orderBy: readOrder(entity, orderBy) }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  };
}

function restricted(selection: Selection, conditions: readonly Condition[]): Selection {
  const clauses = [...(selection.where === null ? [] : [selection.where]), ...conditions];
  const [only] = clauses;
  if (only === undefined) return selection;
  return { ...selection, where: clauses.length === 1 ? only : { kind: "and", clauses } };
}

/** An answer whose first rows are there already: what can go wrong before them has gone wrong. */
export interface Answer {
  /** JSON texts of rows, some at a time. */
  readonly rows: AsyncIterable<Rows>;
}

/**
 * Asks the engine and waits for the first rows.
 * @throws CensusError "bad-input" for a mistake that only the data reveal, "timeout" through the signal's reason
 */
export async function openAnswer(database: Database, statement: Statement, options: ReadOptions = {}): Promise<Answer> {
  const batches = database.answer(statement, options);
  try {
    const first = await batches.next();
    return { rows: resume(first, batches) };
  } catch (error) {
    throw explained(error);
  }
}

/** The one number that a statement yields. */
export async function readCount(database: Database, statement: Statement, options: ReadOptions = {}): Promise<bigint> {
  let count = 0n;
  try {
    for await (const [text] of database.texts(statement, options)) count = BigInt(text ?? "0");
  } catch (error) {
    throw explained(error);
  }
  return count;
}

async function* resume(first: IteratorResult<Rows, void>, rest: AsyncGenerator<Rows>): AsyncGenerator<Rows> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Errors that a statement raises on purpose are the question's fault; the rest are ours. */
function explained(error: unknown): unknown {
  if (error instanceof CensusError) return error;
  const text = messageOf(error);
  const at = text.indexOf(mistakeMark);
  return at < 0 ? error : new QueryError(text.slice(at + mistakeMark.length));
}
