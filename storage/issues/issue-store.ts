import type { Database } from "../engine/database.ts";
import type { ReadableDatabase } from "../engine/overlaid.ts";
import type { ReadOptions } from "../engine/statements.ts";
import { CensusError } from "../errors.ts";
import { MOST_BUCKETS } from "../query/histogram/buckets.ts";
import type { Queries } from "../query/queries.ts";
import type { RowsSpec } from "../query/query.ts";
import type { Timestamp } from "../time.ts";
import { Zone } from "../time/zone.ts";
import { Messages, occurrences, reportsWith } from "./detail.ts";
import { FailureReader, type ReadingSizes } from "./failure-reader.ts";
import { rulesVersion } from "./fold.ts";
import type { IssueDetail, IssueFilter, IssueOrder, Issues, IssueScope } from "./issue.ts";
import type { KnownFailures, Visit } from "./known-failures.ts";
import type { Preceding } from "./preceding.ts";
import { least, precedingChanges } from "./preceding-changes.ts";
import { readFailures } from "./read.ts";
import { summarized, summarizedIssue } from "./summary.ts";

/** The selection of issues. */
export interface IssuesSpec {
  /** Milliseconds since the epoch; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  /** Failures of these nodes: of active ones, unless the query says more. */
  readonly nodes: RowsSpec;
  /** Failures of only this node, active or not, in place of those. */
  readonly certname?: string;
  readonly environment?: string;
}

export interface IssueListSpec extends IssuesSpec {
  readonly filter: IssueFilter;
  readonly order: IssueOrder;
  readonly limit: number;
}

export interface IssueDetailSpec extends IssuesSpec {
  readonly id: string;
  /** `UTC`, `Europe/Berlin` */
  readonly zone: string;
}

export interface PrecedingSpec extends IssuesSpec {
  readonly id: string;
  /** How long before a node's first failure a change counts, ms. */
  readonly within: number;
  /** Maximum changes that are listed. */
  readonly limit: number;
}

/** What can be read of issues. */
export type IssueReader = Pick<IssueStore, "isComplete" | "list" | "detail" | "preceding">;

/** Maximum characters of a message. */
const LONGEST_MESSAGE = 4096;

/** Maximum reports whose messages are read again. */
const MOST_READ = 500;

interface Parts {
  readonly queries: Queries;
  readonly reader: FailureReader;
  readonly until: Timestamp | undefined;
}

/** Failures, the number of their nodes, and their times. */
export class IssueStore {
  readonly #database: ReadableDatabase;
  readonly #queries: Queries;
  readonly #reader: FailureReader;
  /** Reports that were sent later do not count; undefined: all do. */
  readonly #until: Timestamp | undefined;

  private constructor(database: ReadableDatabase, { queries, reader, until }: Parts) {
    this.#database = database;
    this.#queries = queries;
    this.#reader = reader;
    this.#until = until;
  }

  static of(database: Database, queries: Queries, sizes?: ReadingSizes): IssueStore {
    return new IssueStore(database, { queries, reader: new FailureReader(database, sizes), until: undefined });
  }

  /** The issues of a past state, of which these are the database and the queries. */
  at(time: Timestamp, database: ReadableDatabase, queries: Queries): IssueReader {
    return new IssueStore(database, { queries, reader: this.#reader, until: time });
  }

  /** Whether results are final while nothing is stored: all reports have been read. */
  get isComplete(): boolean {
    return this.#reader.isComplete;
  }

  /** @throws QueryError if the query is invalid, or selects something other than nodes */
  async list(spec: IssueListSpec, options: ReadOptions = {}): Promise<Issues> {
    const { filter, order, limit } = spec;
    const scope = await this.#scope(spec, options);
    const known = await this.#reader.since(spec.from, options);
    return summarized(known, scope, { filter, order, limit, isComplete: this.isComplete });
  }

  /** @throws CensusError "not-found" if no report in the range has that issue; as {@link list} */
  async detail(spec: IssueDetailSpec, options: ReadOptions = {}): Promise<IssueDetail> {
    const { id } = spec;
    const zone = Zone.named(spec.zone);
    if (zone === undefined) throw new CensusError("bad-input", `'${spec.zone}' is not a time zone`);
    const scope = await this.#scope(spec, options);
    const known = await this.#reader.since(spec.from, options);
    const number = known.numbered(id);
    const issue = number === undefined ? undefined : summarizedIssue(known, scope, number, this.isComplete);
    if (number === undefined || issue === undefined) throw unknownIssue(id);
    const visits = reportsWith(known, scope, number);
    const rest = occurrences(known, scope, visits, zone);
    const latest = visits.slice(0, MOST_READ);
    const messages = new Messages(id);
    await this.#readAgain(known, latest, { withLines: issue.kind !== "resource" }, messages, options);
    return { isComplete: this.isComplete, issue, messages: messages.list(), ...rest };
  }

  /** What changed on nodes shortly before they had an issue first. @throws as {@link detail} */
  async preceding(spec: PrecedingSpec, options: ReadOptions = {}): Promise<Preceding> {
    const { id, within, limit } = spec;
    const scope = await this.#scope(spec, options);
    const known = await this.#reader.since(spec.from, options);
    const number = known.numbered(id);
    // The latest first: of a node's reports the earliest is what remains.
    const failed = new Map(
      number === undefined ? [] : reportsWith(known, scope, number).map(({ node, time }) => [node, time]),
    );
    if (failed.size === 0) throw unknownIssue(id);
    const others = new Set([...(scope.nodes ?? [])].filter((node) => !failed.has(node)));
    const changes = await precedingChanges(this.#database, { failed, others, within }, options);
    const times = [...failed.values()];
    return {
      selected: failed.size,
      rest: others.size,
      from: new Date(least(times) - within).toISOString(),
      to: new Date(-least(times.map((time) => -time))).toISOString(),
      total: changes.length,
      changes: changes.slice(0, limit),
    };
  }

  /** Stops reading in the background. */
  async close(): Promise<void> {
    await this.#reader.close();
  }

  async #scope(spec: IssuesSpec, options: ReadOptions): Promise<IssueScope> {
    const { from, to, environment, certname, nodes } = spec;
    checkRange(spec);
    const { limits, options: entityOptions } = nodes;
    const own = ["from", "nodes", ["and", ["=", "certname", certname ?? ""], anyState]];
    const selected: RowsSpec =
      certname === undefined
        ? nodes
        : {
            query: own,
            ...(limits === undefined ? {} : { limits }),
            ...(entityOptions === undefined ? {} : { options: entityOptions }),
          };
    return {
      from,
      to,
      ...(environment === undefined ? {} : { environment }),
      nodes: await this.#queries.nodeNumbers(selected, options),
      everyReportType: nodes.options?.everyReportType === true,
      ...(this.#until === undefined ? {} : { until: Number(this.#until / 1000n) }),
    };
  }

  /** @param latest reports, the latest first */
  async #readAgain(
    known: KnownFailures,
    latest: readonly Visit[],
    { withLines }: { readonly withLines: boolean },
    messages: Messages,
    options: ReadOptions,
  ): Promise<void> {
    const ids = JSON.stringify(latest.map(({ index }) => known.id(index)));
    const [newest, oldest] = [latest[0], latest.at(-1)].map((visit) => BigInt(visit?.time ?? 0) * 1000n);
    // With the times the engine knows which parts of the table it need not read.
    const condition =
      "r.id IN (SELECT unnest($1::JSON::BIGINT[])) AND r.producer_timestamp >= $2 AND r.producer_timestamp < $3";
    const values = [ids, { micros: oldest ?? 0n }, { micros: (newest ?? 0n) + 1000n }];
    const longest = LONGEST_MESSAGE;
    const reading = this.#database.snapshot(async function* ([snapshot]) {
      for await (const report of readFailures(snapshot, { condition, values, withLines, longest }))
        messages.add(report);
      yield undefined;
    }, options);
    for await (const _ of reading);
  }
}

const anyState = ["or", ["=", ["node", "active"], true], ["=", ["node", "active"], false]];

/** @throws CensusError "bad-input" if the histogram of an issue would have too many buckets */
function checkRange({ from, to }: IssuesSpec): void {
  if (!(from < to)) throw new CensusError("bad-input", "the time range ends before it begins");
  if (to - from > MOST_BUCKETS * 7 * 86_400_000) {
    throw new CensusError("bad-input", `the time range is longer than ${MOST_BUCKETS} times 7 days: narrow it`);
  }
}

function unknownIssue(id: string): CensusError {
  const isOld = /^v\d+-/.test(id) && !id.startsWith(`${rulesVersion}-`);
  return new CensusError(
    "not-found",
    isOld
      ? `issue ${id} was made by other rules than today's (${rulesVersion}): look for it among all issues`
      : `no report in the time range has issue ${id}: choose a longer range, or look for it among all issues`,
  );
}
