import type { ReadableDatabase } from "../engine/overlaid.ts";
import { explainedError } from "../engine/error-classes.ts";
import { unlessAborted } from "../engine/interrupt.ts";
import type { ReadOptions, Statement } from "../engine/statements.ts";
import type { Rows } from "../engine/rows.ts";
import { CensusError } from "../errors.ts";
import type { Json } from "../json.ts";
import { isEmptyList } from "./ast/builder.ts";
import { distinctEvents, type DistinctWindow, legacyFilter } from "./ast/legacy-events.ts";
import { replacedClauses, type WantedOrder, type WantedPaging } from "./ast/paging.ts";
import { type EntityOptions, entityNamed, mentionsNodeState, readFrom } from "./ast/root.ts";
import { buildSelection } from "./ast/selection.ts";
import {
  compileCount,
  compileInParts,
  compileRows,
  type CompileContext,
  type StatementsInParts,
} from "./compile/statement.ts";
import type { CompiledStatement } from "./compiled-statement.ts";
import { QueryError } from "./errors.ts";
import { astForPuppetdb } from "./extensions.ts";
import { checkConditions, checkSize, defaultQueryLimits, type QueryLimits } from "./limits.ts";
import { readEquality } from "./operators.ts";
import { withPageOrder } from "./page-order.ts";
import { parsePql } from "./pql/parse.ts";
import type { Condition, Selection } from "./tree.ts";

/** A query as a client sends it: the endpoint, the condition, and which part of the result. */
export interface QuerySpec {
  /** An entity's own endpoint, or the root, where the query names the entity. */
  readonly of: EntityTarget | "root";
  readonly query?: Json;
  /** PQL instead of `query`; at the root only. */
  readonly pql?: string;
  readonly orderBy?: readonly WantedOrder[];
  readonly limit?: bigint;
  readonly offset?: bigint;
  readonly options?: EntityOptions;
  /** Limits of the query; absent: {@link defaultQueryLimits}. */
  readonly limits?: QueryLimits;
  /** Events: only the newest of each resource and node within this window. */
  readonly distinct?: DistinctWindow;
}

export interface EntityTarget {
  readonly entity: string;
  /** Only rows of active nodes, unless the query mentions node_state. */
  readonly activeOnly: boolean;
  /** Values of fields that the route sets, e.g. certname for `/nodes/<n>/facts`. */
  readonly restrictions?: Readonly<Record<string, string>>;
}

/** A query that is ready to run. */
export interface Plan {
  readonly rows: CompiledStatement;
  /** The keys of the rows, in their order; absent where no caller needs them. */
  readonly columns?: readonly string[];
  /** Counts the rows before limit and offset. */
  readonly total: () => CompiledStatement;
  /** What is selected, where each row of it is a row of the result; absent where no caller needs it. */
  readonly selection?: Selection;
  /** The same rows read in parts; absent where that is not possible. */
  readonly inParts?: () => StatementsInParts | undefined;
  /** Nodes whose rows are found much faster by their ids, which were not in memory; absent: there are none. */
  readonly unknownNodes?: UnknownNodes;
}

/** Nodes that a plan compares with by their names. */
export interface UnknownNodes {
  readonly certnames: readonly string[];
  /** The plan with the ids of those that exist. */
  readonly planWith: (ids: ReadonlyMap<string, number>) => Plan;
}

/**
 * Entities whose rows at the root are not limited to active nodes; exactly these spellings
 * (`reference/entities.md §4`).
 */
const unrestrictedAtRoot: ReadonlySet<string> = new Set(["fact_paths", "environments", "packages"]);

/**
 * Text or AST → tree → one SQL statement.
 * @throws QueryError (or PqlSyntaxError) with what is wrong with the query
 */
export function planQuery(spec: QuerySpec, context: CompileContext): Plan {
  const { limits = defaultQueryLimits } = spec;
  const ast = astOf(spec);
  checkSize(ast, limits);
  const read = spec.of === "root" ? rootSelection(spec, ast) : entitySelection(spec, spec.of, ast);
  checkConditions(read, limits);
  const selection = context.ordersPages === true ? withPageOrder(read) : read;
  return {
    rows: compileRows(selection, context),
    columns: columnsOf(selection),
    total: () => compileCount(selection, context),
    ...(isOfRows(selection) ? { selection } : {}),
    inParts: () => compileInParts(selection, context),
  };
}

/** Whether nothing is grouped. */
function isOfRows({ columns, groupBy }: Selection): boolean {
  return groupBy === null && columns.every(({ kind }) => kind !== "aggregate");
}

/** Rows that are bare values have one column (`storage/output/cells.ts`). */
function columnsOf({ entity, columns }: Selection): string[] {
  return entity.bare === true ? ["value"] : columns.map(({ key }) => key);
}

/** A query as a tree, for callers that compile it themselves. */
export function selectionOf(spec: QuerySpec & { readonly of: EntityTarget }): Selection {
  const { limits = defaultQueryLimits } = spec;
  const ast = astOf(spec);
  checkSize(ast, limits);
  const selection = entitySelection(spec, spec.of, ast);
  checkConditions(selection, limits);
  return selection;
}

/** The AST of a query, parsed from PQL where it is PQL. */
export function astOf(spec: Pick<QuerySpec, "query" | "pql">): Json | undefined {
  return spec.pql === undefined ? spec.query : parsePql(spec.pql);
}

/**
 * The AST of a query at the root as PuppetDB reads it.
 * @throws QueryError for an invalid query, and for one that PuppetDB refuses in every form
 */
export function portableAst(ast: Json): Json {
  return astForPuppetdb(ast, rootSelection({ of: "root" }, ast));
}

/** A query at the root with the options of its entities and its limits. */
export type RowsSpec = Pick<QuerySpec, "query" | "pql" | "options" | "limits">;

/** The message about a query that has more than an entity and its conditions. */
const conditionsOnly =
  'here a query is an entity and its conditions, as in nodes{ report_environment = "production" }: leave out the list of fields, ' +
  "group by, order by, limit and offset";

/**
 * The rows that a query at the root selects, for callers that compile them themselves; the columns are those of the
 * entity.
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
  const from = readFrom(ast, spec.options, replacedClauses(spec));
  const paging = { ...from.paging, ...pagingOf(spec) };
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
  const built = buildSelection(entity, filter, pagingOf(spec), spec.options);
  const selection = distinct === undefined ? built : distinctEvents(built, distinct, filter);
  const conditions = Object.entries(target.restrictions ?? {}).map(([name, value]): Condition => {
    const field = entity.fields[name];
    if (field === undefined) throw new Error(`${target.entity} has no ${name}`);
    return readEquality({ name, field }, value);
  });
  if (target.activeOnly && !mentionsNodeState(ast)) conditions.push({ kind: "node-state", state: "active" });
  return restricted(selection, conditions);
}

/**
 * An empty condition means none where the route adds nothing; where it adds one, PuppetDB rejects the empty condition
 * as malformed.
 */
function conditionAlone(ast: Json | undefined): Json | undefined {
  return isEmptyList(ast) ? undefined : ast;
}

function pagingOf({ orderBy, limit, offset }: QuerySpec): WantedPaging {
  return {
    ...(orderBy === undefined || orderBy.length === 0 ? {} : { orderBy }),
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

/** A result whose first rows are available: errors before the first row have been thrown already. */
export interface QueryResult {
  /** JSON texts of rows, in batches. */
  readonly rows: AsyncIterable<Rows>;
}

/**
 * Runs a statement and waits for its first rows.
 * @throws CensusError "bad-input" for an error that only the data reveal, "timeout" through the signal's reason
 */
export async function openResult(
  database: ReadableDatabase,
  statement: Statement,
  options: ReadOptions = {},
): Promise<QueryResult> {
  const batches = database.stream(statement, options);
  const beginning = batches.next();
  try {
    const first = await unlessAborted(beginning, options.signal);
    return { rows: resume(first, batches) };
  } catch (error) {
    // Nobody waits for it any more; it ends as soon as the engine can be interrupted.
    void beginning.then(() => batches.return(undefined)).catch(() => undefined);
    throw queryError(error);
  }
}

/** The one number that a statement returns. */
export async function readCount(
  database: ReadableDatabase,
  statement: Statement,
  options: ReadOptions = {},
): Promise<bigint> {
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

/** The error that a client gets for a failed statement; the error itself where it is a defect. */
export function queryError(error: unknown): unknown {
  const explained = explainedError(error);
  if (!(explained instanceof CensusError) || explained === error || explained.code !== "bad-input") return explained;
  return new QueryError(explained.message);
}
