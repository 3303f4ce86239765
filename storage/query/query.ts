import type { Database } from "../engine/database.ts";
import { explainedError } from "../engine/error-classes.ts";
import { unlessAborted } from "../engine/interrupt.ts";
import type { ReadOptions, Statement } from "../engine/statements.ts";
import type { Rows } from "../engine/rows.ts";
import { CensusError } from "../errors.ts";
import type { Json } from "../json.ts";
import { distinctEvents, type DistinctWindow, legacyFilter } from "./ast/legacy-events.ts";
import { readOrder } from "./ast/paging.ts";
import { type EntityOptions, entityNamed, mentionsNodeState, readFrom } from "./ast/root.ts";
import { buildSelection } from "./ast/selection.ts";
import {
  compileCount,
  compileInParts,
  compileRows,
  type CompileContext,
  type StatementsInParts,
} from "./compile/statement.ts";
import { QueryError } from "./errors.ts";
import { checkConditions, checkSize, defaultQueryLimits, type QueryLimits } from "./limits.ts";
import { readEquality } from "./operators.ts";
import { parsePql } from "./pql/parse.ts";
import type { Condition, Paging, Selection } from "./tree.ts";

/** A question as a client puts it: where it asks, what, and how much of the answer it wants. */
export interface QuerySpec {
  /** An entity's own endpoint, or the root, where the query names the entity. */
  readonly of: EntityTarget | "root";
  readonly query?: Json;
  /** PQL instead of `query`; at the root only. */
  readonly pql?: string;
  readonly orderBy?: readonly { readonly field: string; readonly descending: boolean }[];
  readonly limit?: bigint;
  readonly offset?: bigint;
  readonly options?: EntityOptions;
  /** What the query may be at most; absent: {@link defaultQueryLimits}. */
  readonly limits?: QueryLimits;
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
  /** The keys of the rows, in their order; absent: nobody needs them. */
  readonly columns?: readonly string[];
  /** Counts the rows before limit and offset. */
  readonly total: () => Statement;
  /** The same rows a part at a time, where that can be; absent: it cannot. */
  readonly inParts?: () => StatementsInParts | undefined;
  /** What is to be asked instead once something that this relies on is no longer so; undefined: all of it is. */
  readonly replan?: () => Plan | undefined;
}

/** Root entities that are not limited to active nodes; exactly these spellings (`reference/entities.md §4`). */
const unrestrictedAtRoot: ReadonlySet<string> = new Set(["fact_paths", "environments", "packages"]);

/**
 * Text or AST → tree → one SQL statement.
 * @throws QueryError (or PqlSyntaxError) saying what is wrong with the question
 */
export function planQuery(spec: QuerySpec, context: CompileContext): Plan {
  const { limits = defaultQueryLimits } = spec;
  const ast = astOf(spec);
  checkSize(ast, limits);
  const selection = spec.of === "root" ? rootSelection(spec, ast) : entitySelection(spec, spec.of, ast);
  checkConditions(selection, limits);
  return {
    rows: compileRows(selection, context),
    columns: columnsOf(selection),
    total: () => compileCount(selection, context),
    inParts: () => compileInParts(selection, context),
  };
}

/** Rows that are bare values have one column (`storage/output/cells.ts`). */
function columnsOf({ entity, columns }: Selection): string[] {
  return entity.bare === true ? ["value"] : columns.map(({ key }) => key);
}

/** A question as a tree, for those who compile it their own way. */
export function selectionOf(spec: QuerySpec & { readonly of: EntityTarget }): Selection {
  const { limits = defaultQueryLimits } = spec;
  const ast = astOf(spec);
  checkSize(ast, limits);
  const selection = entitySelection(spec, spec.of, ast);
  checkConditions(selection, limits);
  return selection;
}

/** The question as AST: what PQL stands for, or the AST itself. */
export function astOf(spec: Pick<QuerySpec, "query" | "pql">): Json | undefined {
  return spec.pql === undefined ? spec.query : parsePql(spec.pql);
}

/** A query at the root, what its entities are, and what it may be at most. */
export type RowsSpec = Pick<QuerySpec, "query" | "pql" | "options" | "limits">;

/** What is said of a query that has more than an entity and its conditions. */
const conditionsOnly =
  'here a query is an entity and its conditions, as in nodes{ report_environment = "production" }: leave out the list of fields, ' +
  "group by, order by, limit and offset";

/**
 * The rows that a query at the root selects, for those who compile them their own way; the columns are those of the entity.
 * @throws QueryError as {@link planQuery}, and where the query names columns, groups, an order or a page
 */
export function rowsSelected(spec: RowsSpec): Selection {
  const { limits = defaultQueryLimits, options } = spec;
  const ast = astOf(spec);
  checkSize(ast, limits);
  const { query, paging } = readFrom(ast, spec.options);
  const isExtract = Array.isArray(query) && query[0] === "extract";
  if (isExtract || Object.keys(paging).length > 0) throw new QueryError(conditionsOnly);
  const selection = rootSelection({ of: "root", ...(options === undefined ? {} : { options }) }, ast);
  checkConditions(selection, limits);
  return selection;
}

/**
 * One statement whose rows are the numbers of nodes.
 * @throws QueryError as {@link rowsSelected}, and where the query selects something other than nodes
 */
export function planNodes(spec: RowsSpec, context: CompileContext): Plan {
  const selection = rowsSelected(spec);
  const { entity } = selection;
  const keys = entity.alias === "nodes" ? compileInParts(selection, context)?.keys : undefined;
  if (keys === undefined)
    throw new QueryError(`the query selects ${entity.alias}; write one that selects nodes, as in nodes{ … }`);
  return { rows: keys, total: () => keys };
}

function rootSelection(spec: QuerySpec, ast: Json | undefined): Selection {
  const from = readFrom(ast, spec.options);
  const paging = { ...from.paging, ...pagingOf(spec, from.entity) };
  const isUnrestricted = unrestrictedAtRoot.has(from.name);
  const filter = isUnrestricted ? conditionAlone(from.query) : from.query;
  const selection = buildSelection(from.entity, filter, paging, spec.options);
  const isLimited = from.entity.ofNodes && !isUnrestricted && !mentionsNodeState(ast);
  return isLimited ? restricted(selection, [{ kind: "node-state", state: "active" }]) : selection;
}

function entitySelection(spec: QuerySpec, target: EntityTarget, given: Json | undefined): Selection {
  const isAlone = !target.activeOnly && Object.keys(target.restrictions ?? {}).length === 0;
  const ast = isAlone ? conditionAlone(given) : given;
  const entity = entityNamed(target.entity, spec.options);
  if (entity === undefined) throw new QueryError(`Invalid entity '${target.entity}' in query`);
  if (Array.isArray(ast) && ast[0] === "from") {
    throw new QueryError(`["from", …] belongs at the root endpoint, /pdb/query/v4; here write the condition alone`);
  }
  const { distinct } = spec;
  const filter = distinct === undefined || ast === undefined ? ast : legacyFilter(ast);
  const built = buildSelection(entity, filter, pagingOf(spec, entity), spec.options);
  const selection = distinct === undefined ? built : distinctEvents(built, distinct, filter);
  const conditions = Object.entries(target.restrictions ?? {}).map(([name, value]): Condition => {
    const field = entity.fields[name];
    if (field === undefined) throw new Error(`${target.entity} has no ${name}`);
    return readEquality({ name, field }, value);
  });
  if (target.activeOnly && !mentionsNodeState(ast)) conditions.push({ kind: "node-state", state: "active" });
  return restricted(selection, conditions);
}

/** An empty condition is none where nothing is added to it; beside another the peer finds it malformed. */
function conditionAlone(ast: Json | undefined): Json | undefined {
  return Array.isArray(ast) && ast.length === 0 ? undefined : ast;
}

function pagingOf(spec: QuerySpec, entity: Selection["entity"]): Paging {
  const { orderBy, limit, offset } = spec;
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
export interface QueryResult {
  /** JSON texts of rows, some at a time. */
  readonly rows: AsyncIterable<Rows>;
}

/**
 * Asks the engine and waits for the first rows.
 * @throws CensusError "bad-input" for a mistake that only the data reveal, "timeout" through the signal's reason
 */
export async function openResult(
  database: Database,
  statement: Statement,
  options: ReadOptions = {},
): Promise<QueryResult> {
  const batches = database.answer(statement, options);
  const beginning = batches.next();
  try {
    const first = await unlessAborted(beginning, options.signal);
    return { rows: resume(first, batches) };
  } catch (error) {
    // Where nobody waits for it any more, it ends when the engine lets it.
    void beginning.then(() => batches.return(undefined)).catch(() => undefined);
    throw queryError(error);
  }
}

/** The one number that a statement yields. */
export async function readCount(database: Database, statement: Statement, options: ReadOptions = {}): Promise<bigint> {
  const read = async (): Promise<bigint> => {
    let count = 0n;
    for await (const [text] of database.texts(statement, options)) count = BigInt(text ?? "0");
    return count;
  };
  const reading = read();
  try {
    return await unlessAborted(reading, options.signal);
  } catch (error) {
    void reading.catch(() => undefined);
    throw queryError(error);
  }
}

export async function* resume(first: IteratorResult<Rows, void>, rest: AsyncGenerator<Rows>): AsyncGenerator<Rows> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** What a statement's failure is to whoever asked; the error itself where it is a fault of ours. */
export function queryError(error: unknown): unknown {
  const explained = explainedError(error);
  if (!(explained instanceof CensusError) || explained === error || explained.code !== "bad-input") return explained;
  return new QueryError(explained.message);
}
