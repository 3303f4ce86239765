import type { Database } from "../engine/database.ts";
import type { ReadOptions } from "../engine/statements.ts";
import type { InactiveNodes } from "../nodes/inactive-nodes.ts";
import type { NodeIndex } from "../nodes/node-index.ts";
import type { Clock, Timestamp } from "../time.ts";
import { type Asked, type AskOptions, askPlan, left } from "./ask.ts";
import type { CompileContext } from "./compile/statement.ts";
import type { CountsQuestion } from "./counts.ts";
import { type Explanation, explanationOf, explanationOfPlan } from "./explanation.ts";
import type { FacetsQuestion } from "./facets/facets.ts";
import type { HistogramQuestion, PlannedHistogram } from "./histogram/histogram.ts";
import { type OptionalData, optionalData } from "./optional-data.ts";
import { knows, type ParentKind } from "./parents.ts";
import { Planner } from "./planner.ts";
import { QueryCache } from "./query-cache.ts";
import { type Plan, type Question, questionError, type RowsQuestion } from "./query.ts";
import { readDocument, type ReportDocument } from "./report-document.ts";
import { type StateOverview, stateOverview } from "./state-overview.ts";

/** What queries are answered with. */
export interface QueriesOptions {
  readonly nodes: NodeIndex;
  readonly inactiveNodes: InactiveNodes;
  readonly clock: Clock;
  /** Nodes that became inactive before are left out, as if they had been purged. */
  readonly purgeHorizon: () => Timestamp;
  /** Whether `corrective_change` of reports and events is stored. */
  readonly storesCorrective: boolean;
  /** Whether event counts separate corrective changes from intentional ones. */
  readonly countsCorrective: boolean;
}

/** What can be read of a store: its queries, from their texts to their rows, and a few fixed ones. */
export class Queries {
  /** What was read and planned of queries, the only cache of them. */
  readonly cache = new QueryCache();
  readonly #database: Database;
  readonly #options: QueriesOptions;
  readonly #planner: Planner;
  /** Queries so far. */
  #asked = 0;

  constructor(database: Database, options: QueriesOptions) {
    this.#database = database;
    this.#options = options;
    this.#planner = new Planner({ ...options, cache: this.cache });
  }

  /** What plans are made with, for whoever makes them on another thread. */
  get planningContext(): Pick<CompileContext, "purgeHorizon" | "countsCorrective"> {
    return this.#planner.world;
  }

  /** Text or AST → statement. The engine is not asked, so a question can be checked before anything runs. */
  plan(question: Question): Plan {
    return this.#planner.plan(question);
  }

  /** The same for counts of events. */
  planCounts(question: CountsQuestion): Plan {
    return this.#planner.planCounts(question);
  }

  /** The same for counts of values; {@link facetsOf} reads the rows. */
  planFacets(question: FacetsQuestion): Plan {
    return this.#planner.planFacets(question);
  }

  /** The same for counts by time. */
  planHistogram(question: HistogramQuestion): PlannedHistogram {
    return this.#planner.planHistogram(question);
  }

  /**
   * The numbers of the nodes that a query selects.
   * @throws QueryError where it selects something else
   */
  async nodeNumbers(question: RowsQuestion, options: ReadOptions = {}): Promise<Set<number>> {
    const numbers = new Set<number>();
    for await (const rows of (await this.ask(this.#planner.planNodes(question), options)).rows) {
      for (const text of rows.texts()) numbers.add(Number(text));
    }
    return numbers;
  }

  /** Aggregates over counts of events: one plan, of one row, per word of `summarize_by`. */
  planAggregates(question: CountsQuestion): Plan[] {
    return this.#planner.planAggregates(question);
  }

  /** Runs a query and waits for its first rows. */
  async ask(plan: Plan, options: AskOptions = {}): Promise<Asked> {
    const asked = await askPlan(this.#database, plan, options);
    // It is not worth a read for a single query.
    if (this.#asked++ > 0) void this.#options.inactiveNodes.load().catch(() => undefined);
    const instead = plan.instead?.();
    if (instead === undefined) return asked;
    await left(asked);
    return askPlan(this.#database, instead, options);
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
      throw questionError(error);
    }
  }

  /** Whether it exists; inactive nodes do. */
  async knows(kind: ParentKind, id: string): Promise<boolean> {
    return knows(this.#database, kind, id, this.#options.nodes);
  }

  /**
   * How many active nodes are in which state.
   * @param threshold seconds after which a node that has sent no report is unresponsive
   */
  async stateOverview(threshold: number): Promise<StateOverview> {
    return stateOverview(this.#database, this.#options.clock.now() - BigInt(threshold) * 1_000_000n);
  }

  /** Which data that not every site sends or keeps are in this store. */
  async optionalData(): Promise<OptionalData> {
    const stored = await optionalData(this.#database);
    return { ...stored, correctiveChanges: stored.correctiveChanges || this.#options.storesCorrective };
  }

  /** A report's document as JSON text; null when the report has none. */
  async reportDocument(hash: string, part: ReportDocument): Promise<string | null> {
    return readDocument(this.#database, hash, part);
  }
}
