import { hash } from "node:crypto";
import type { ReadableDatabase } from "../engine/overlaid.ts";
import type { Rows } from "../engine/rows.ts";
import type { ReadOptions } from "../engine/statements.ts";
import { nullness } from "../engine/table-versions.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import { parseJson } from "../json.ts";
import type { Clock, Timestamp } from "../time.ts";
import { type CountedResult, type QueryRunOptions, runPlan } from "./run.ts";
import type { CompileContext } from "./compile/statement.ts";
import type { CountsSpec } from "./counts.ts";
import { duckdb } from "./dialect/duckdb.ts";
import { entities } from "./entities/index.ts";
import { type Explanation, explanationOf, explanationOfPlan } from "./explanation.ts";
import type { TableSpec } from "./table.ts";
import { type Facets, facetsOf, type FacetsSpec } from "./facets/facets.ts";
import type { HistogramSpec, PlannedHistogram, TimedRow } from "./histogram/histogram.ts";
import type { Histogram } from "./histogram/result.ts";
import type { Views } from "../engine/snapshot.ts";
import { type OptionalData, optionalData } from "./optional-data.ts";
import type { SearchedTexts } from "../search/kinds.ts";
import { containingTexts } from "./containing-texts.ts";
import { parentExists, type ParentKind } from "./parents.ts";
import { Planner, type PlanningContext } from "./planner.ts";
import { type Plan, type QuerySpec, queryError, type RowsSpec } from "./query.ts";
import { statementKey } from "./compiled-statement.ts";
import { readDocument, type ReportDocument } from "./report-document.ts";
import type { SlowerNodes, SlowestTypes } from "./run-times/answer.ts";
import { type RunTimesSpec, slowerNodes, slowestTypes } from "./run-times/run-times.ts";
import { type StateOverview, stateOverview } from "./state-overview.ts";

/** What queries need of the store. */
export interface QueriesOptions {
  readonly nodes: NodeIndex;
  readonly clock: Clock;
  /** Nodes that became inactive before this time are omitted, as if they had been purged. */
  readonly purgeHorizon: () => Timestamp;
  /** Whether `corrective_change` of reports and events is stored. */
  readonly storesCorrective: boolean;
  /** Whether event counts separate corrective changes from intentional ones. */
  readonly countsCorrective: boolean;
  /** Whether pages are the same in every store with the same content. */
  readonly ordersPages?: boolean;
  /** Tables that joins read in place of others. */
  readonly dictionaries?: CompileContext["dictionaries"];
  /** Which facts change with no run that changes volatile facts only. */
  readonly isSteadyFact?: CompileContext["isSteadyFact"];
}

/** Which nodes there are, and which of them are active. */
const nodeStates = new Set(["deactivated", "expired"].map(nullness));

/** The queries of a store, from their texts to their rows, and a few fixed ones. */
export class Queries {
  readonly #database: ReadableDatabase;
  readonly #options: QueriesOptions;
  readonly #planner: Planner;

  constructor(database: ReadableDatabase, options: QueriesOptions) {
    this.#database = database;
    this.#options = options;
    this.#planner = new Planner(options);
  }

  /** The context for plans that are made on another thread. */
  get planningContext(): PlanningContext {
    return this.#planner.planningContext;
  }

  /** Text or AST → statement. The engine is not used, so a query can be checked before anything runs. */
  plan(spec: QuerySpec): Plan {
    return this.#planner.plan(spec);
  }

  /** The same for counts of events. */
  planCounts(spec: CountsSpec): Plan {
    return this.#planner.planCounts(spec);
  }

  /** The same for counts of values; {@link facets} counts. */
  planFacets(spec: FacetsSpec): Plan {
    return this.#planner.planFacets(spec);
  }

  /** The same for the rows of a table, with any of the columns that facets name. */
  planTable(spec: TableSpec): Plan {
    return this.#planner.planTable(spec);
  }

  /** The same for counts by time; {@link histogram} counts. */
  planHistogram(spec: HistogramSpec): PlannedHistogram {
    return this.#planner.planHistogram(spec);
  }

  /**
   * The numbers of the nodes that a query selects.
   * @throws QueryError where it selects something other than nodes
   */
  async nodeNumbers(spec: RowsSpec, options: ReadOptions = {}): Promise<Set<number>> {
    const numbers = new Set<number>();
    for await (const rows of (await this.run(this.#planner.planNodes(spec), options)).rows) {
      for (const text of rows.texts()) numbers.add(Number(text));
    }
    return numbers;
  }

  /** Aggregates over counts of events: one plan, of one row, for each name in `summarize_by`. */
  planAggregates(spec: CountsSpec): Plan[] {
    return this.#planner.planAggregates(spec);
  }

  /** Counts values. */
  async facets(plan: Plan, options: QueryRunOptions = {}): Promise<Facets> {
    const texts: string[] = [];
    for await (const rows of (await this.run(plan, options)).rows) texts.push(...rows.texts());
    return facetsOf(texts);
  }

  /** Counts rows by time. */
  async histogram({ plan, of }: PlannedHistogram, options: QueryRunOptions = {}): Promise<Histogram> {
    const found: TimedRow[] = [];
    for await (const rows of (await this.run(plan, options)).rows) {
      found.push(...rows.texts().map((text) => parseJson(text) as unknown as TimedRow));
    }
    return of(found);
  }

  /** Runs a query and waits for its first rows. */
  async run(given: Plan, options: QueryRunOptions = {}): Promise<CountedResult> {
    return runPlan(this.#database, await this.#withNodes(given, options), options);
  }

  /** A plan with the ids of its nodes, where no node is in memory. */
  async #withNodes(plan: Plan, options: ReadOptions): Promise<Plan> {
    const { nodes } = this.#options;
    if (plan.unknownNodes === undefined || nodes.size !== undefined) return plan;
    const { certnames, planWith } = plan.unknownNodes;
    const found = await this.#database.rows<{ id: number; certname: string }>(
      `SELECT id, certname FROM nodes WHERE certname IN (SELECT ${duckdb.lists.rows("$1")})`,
      [certnames],
      options,
    );
    return planWith(new Map(found.map(({ id, certname }) => [certname, id])));
  }

  /**
   * A text that changes when the rows of plans of a query do: with the tables that they read, and with the values that they
   * compare with, such as the time. It must be read together with the plan, and before the rows are.
   */
  versionOf(plan: Plan): string {
    const { key, version } = this.identityOf(plan);
    return `${key} ${version}`;
  }

  /** The same in two parts: a text for the statement with its values, and one for the data that it reads. */
  identityOf({ rows }: Plan): { readonly key: string; readonly version: string } {
    return {
      key: hash("sha1", statementKey(rows)),
      version: this.#database.versions.of(rows.reads),
    };
  }

  /** For each entity a text that changes when its rows do, but for values that they only repeat from their nodes. */
  entityVersions(): ReadonlyMap<string, string> {
    return new Map(
      Object.values(entities).map(({ name, from }) => {
        const { reads } = this.plan({ of: "root", query: ["from", name] }).rows;
        const isOfNodes = "stored" in from.rows && from.rows.stored === "nodes";
        // Each command writes the row of its node, which nearly all entities join for the name.
        const changed = isOfNodes ? reads : new Map([...reads, ["nodes", nodeStates] as const]);
        return [name, this.#database.versions.of(changed)];
      }),
    );
  }

  /** Runs a plan and reports the time of each step. */
  async explain(plan: Plan, options: ReadOptions = {}): Promise<Explanation> {
    const { sql, values } = plan.rows;
    const explained = async (how: string): Promise<string> => {
      const [row] = await this.#database.rows<{ explain_value: string }>(`EXPLAIN (${how}) ${sql}`, values, options);
      return row?.explain_value ?? "";
    };
    const began = performance.now();
    try {
      const profile = explanationOf(await explained("ANALYZE, FORMAT JSON"));
      const ms = performance.now() - began;
      return profile ?? explanationOfPlan(await explained("FORMAT JSON"), ms);
    } catch (error) {
      throw queryError(error);
    }
  }

  /** Whether it exists. Inactive nodes exist. */
  async exists(kind: ParentKind, id: string): Promise<boolean> {
    return parentExists(this.#database, kind, id, this.#options.nodes);
  }

  /**
   * The number of active nodes in each state.
   * @param threshold seconds after which a node without a newer report is unresponsive
   */
  async stateOverview(threshold: number): Promise<StateOverview> {
    return stateOverview(this.#database, this.#options.clock.now() - BigInt(threshold) * 1_000_000n);
  }

  /** {@link slowestTypes} */
  async slowestTypes(spec: RunTimesSpec = {}, options: ReadOptions = {}): Promise<SlowestTypes> {
    return slowestTypes(this.#database, spec, options);
  }

  /** {@link slowerNodes} */
  async slowerNodes(spec: RunTimesSpec = {}, options: ReadOptions = {}): Promise<SlowerNodes> {
    return slowerNodes(this.#database, spec, options);
  }

  /** Which of the data that only some sites send or store are present. */
  async optionalData(): Promise<OptionalData> {
    const { packages, correctiveChanges } = await optionalData(this.#database);
    return { packages, correctiveChanges: correctiveChanges || this.#options.storesCorrective };
  }

  /** {@link containingTexts}, as JSON texts. */
  async *containing(
    texts: SearchedTexts,
    words: readonly string[],
    { isLimited = false, signal }: { isLimited?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<string[]> {
    const statement = containingTexts(texts, words, isLimited);
    const read = ([view]: Views): AsyncIterable<Rows> => view.stream(statement);
    const options = { freesAtEnd: texts === "logs", ...(signal === undefined ? {} : { signal }) };
    for await (const rows of this.#database.snapshot(read, options)) yield rows.texts();
  }

  /** A report's document as JSON text; null when the report has none. */
  async reportDocument(hash: string, part: ReportDocument): Promise<string | null> {
    return readDocument(this.#database, hash, part);
  }
}
