import type { ReadableDatabase } from "../engine/overlaid.ts";
import { listText, type SqlValue } from "../engine/sql-value.ts";
import type { ReadOptions } from "../engine/statements.ts";
import { CensusError } from "../errors.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../json.ts";
import { cellText } from "../output/cells.ts";
import { bucketStarts, MOST_BUCKETS, widthOf } from "../query/histogram/buckets.ts";
import type { Histogram } from "../query/histogram/result.ts";
import type { Queries } from "../query/queries.ts";
import type { RowsSpec } from "../query/query.ts";
import { outcomeKeys } from "../states/node-state.ts";
import { Zone } from "../time/zone.ts";
import { publicId, storedId } from "./failures.ts";
import { rulesVersion } from "./fold.ts";
import {
  type Issue,
  type IssueDetail,
  type IssueFilter,
  type IssueNode,
  type IssueOrder,
  type Issues,
  issueStates,
  NEW_FOR_MS,
  type Place,
} from "./issue.ts";
import type { Preceding } from "./preceding.ts";
import { least, precedingChanges } from "./preceding-changes.ts";
import * as statements from "./statements.ts";

/** The selection of issues. Times are milliseconds since the epoch. */
export interface IssuesSpec {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  /** The present time of the state that is read. */
  readonly now: number;
  /** Failures of these nodes: of active ones, unless the query says more. */
  readonly nodes: RowsSpec;
  /** Issues that this node has, active or not, counted over it and those nodes. */
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

/** Maximum nodes, and reports, in the list of an issue. */
export const MOST_LISTED = 1000;

/** What is selected, as the statements take it. */
interface Selected extends statements.FailureSelection {
  readonly nodes: ReadonlySet<number>;
  readonly everyKind: string;
  /** Values of `$1`, the nodes, and of what else the conditions name. */
  readonly values: readonly SqlValue[];
}

/** Issues: failures, the number of their nodes, and their times, all counted by the engine. */
export class IssueStore {
  readonly #database: ReadableDatabase;
  readonly #queries: Queries;

  /** @param database of the present state, or of a past one, with its queries */
  constructor(database: ReadableDatabase, queries: Queries) {
    this.#database = database;
    this.#queries = queries;
  }

  /** @throws QueryError if the query is invalid, or selects something other than nodes */
  async list(spec: IssueListSpec, options: ReadOptions = {}): Promise<Issues> {
    const selected = await this.#select(spec, options);
    const { certname, filter, order, limit } = spec;
    const { kind, type, class: name, common, state } = filter;
    const values = [...selected.values];
    const of = (column: string, value: string | undefined): string[] =>
      value === undefined ? [] : [`${column} = $${values.push(value)}`];
    const where = [
      "true",
      ...of("kind", kind),
      ...of("type", type),
      ...(common === undefined ? [] : [`common_id = ${storedId(common) ?? -1n}`]),
      ...(certname === undefined ? [] : [`id IN (${ofNode(selected)})`]),
      ...of("class", name).map((isOfClass) => `id IN (SELECT issue_id FROM failures WHERE ${isOfClass})`),
    ];
    const sql = statements.listSql(selected, {
      filter: where.join(" AND "),
      state: state === undefined ? "true" : `state = '${state}'`,
      by: order,
      limit,
    });
    const rows = await this.#rows(sql, { values }, options);
    const listed = rows.filter(({ id }) => typeof id === "number");
    const [totals = {}] = rows;
    const states = Object.fromEntries(issueStates.map((each) => [each, Number(totals[`of_${each}`] ?? 0)]));
    return {
      rules: rulesVersion,
      total: Number(totals["total"] ?? 0),
      states: states as Issues["states"],
      issues: await this.#completed(listed, selected, options),
    };
  }

  /** @throws CensusError "not-found" if no report in the range has that issue; as {@link list} */
  async detail(spec: IssueDetailSpec, options: ReadOptions = {}): Promise<IssueDetail> {
    const zone = Zone.named(spec.zone);
    if (zone === undefined) throw new CensusError("bad-input", `'${spec.zone}' is not a time zone`);
    const selected = await this.#select(spec, options);
    const id = storedId(spec.id) ?? -1n;
    const sql = statements.listSql(withSameMessage(selected, id), {
      filter: `id = ${id}`,
      state: "true",
      by: "still",
      limit: 1,
    });
    const found = (await this.#rows(sql, selected, options)).filter((row) => typeof row["id"] === "number");
    const [issue] = await this.#completed(found, selected, options);
    if (issue === undefined) throw unknownIssue(spec.id);
    const read = async (statement: string): Promise<JsonObject[]> => this.#rows(statement, selected, options);
    const nodes = await read(statements.nodesSql(selected, id, MOST_LISTED));
    const reports = await read(statements.reportsSql(selected, id, MOST_LISTED));
    const [begin = {}] = await read(statements.beginSql(selected, id));
    return {
      issue,
      messages: (await read(statements.messagesSql(selected, id, 200))) as unknown as IssueDetail["messages"],
      nodes: nodes.map((row) => timed(row, "first", "time", "report_timestamp") as unknown as IssueNode),
      reports: reports.map((row) => timed(row, "time") as unknown as IssueDetail["reports"][number]),
      begin: timed(begin, "time") as unknown as IssueDetail["begin"],
      histogram: await this.#histogram(spec, { selected, id, zone }, options),
    };
  }

  /** What changed on nodes shortly before they had an issue first. @throws as {@link detail} */
  async preceding(spec: PrecedingSpec, options: ReadOptions = {}): Promise<Preceding> {
    const { id, within, limit } = spec;
    const selected = await this.#select(spec, options);
    const failed = new Map<number, number>();
    const sql = statements.firstFailuresSql(selected, storedId(id) ?? -1n);
    for await (const texts of this.#database.texts({ sql, values: selected.values }, options)) {
      for (const text of texts) {
        const [node, micros] = parseJson(text) as [number, number];
        failed.set(node, Math.floor(micros / 1000));
      }
    }
    if (failed.size === 0) throw unknownIssue(id);
    const others = new Set([...selected.nodes].filter((node) => !failed.has(node)));
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

  async #select(spec: IssuesSpec, options: ReadOptions): Promise<Selected> {
    const { from, to, now, environment, certname, nodes } = spec;
    checkRange(spec);
    const ids = new Set(await this.#queries.nodeNumbers(nodes, options));
    const own = { query: ["from", "nodes", ["and", ["=", "certname", certname ?? ""], anyState]] };
    const [node] = certname === undefined ? [] : await this.#queries.nodeNumbers(own, options);
    if (node !== undefined) ids.add(node);
    const everyKind = nodes.options?.everyReportType === true ? "true" : "NOT f.is_plan";
    return {
      nodes: ids,
      node,
      everyKind,
      from: BigInt(Math.floor(from)) * 1000n,
      to: BigInt(Math.floor(to)) * 1000n,
      newSince: BigInt(Math.floor(now - NEW_FOR_MS)) * 1000n,
      where: environment === undefined ? everyKind : `${everyKind} AND f.environment = $2`,
      values: [listText(ids), ...(environment === undefined ? [] : [environment])],
    };
  }

  async #rows(sql: string, { values }: Pick<Selected, "values">, options: ReadOptions): Promise<JsonObject[]> {
    const rows: JsonObject[] = [];
    for await (const texts of this.#database.texts({ sql, values }, options)) {
      for (const text of texts) {
        const row = parseJson(text);
        if (isObject(row)) rows.push(row);
      }
    }
    return rows;
  }

  /** Adds what is read for listed issues only. */
  async #completed(listed: readonly JsonObject[], selected: Selected, options: ReadOptions): Promise<Issue[]> {
    if (listed.length === 0) return [];
    const ids = listed.map(({ id }) => BigInt(Number(id)));
    const extras = new Map(
      (await this.#rows(statements.extrasSql(selected, ids), selected, options)).map((row) => [row["id"], row]),
    );
    return listed.flatMap((row) => {
      const extra = extras.get(row["id"]);
      // A report that was stored meanwhile may have changed what is in the range.
      return extra === undefined ? [] : [issueOf(row, extra)];
    });
  }

  async #histogram(
    spec: IssueDetailSpec,
    { selected, id, zone }: { selected: Selected; id: bigint; zone: Zone },
    options: ReadOptions,
  ): Promise<Histogram> {
    const width = widthOf(spec, 60);
    const starts = bucketStarts(spec, width, zone);
    const sql = statements.histogramSql(
      selected,
      id,
      starts.map((start) => BigInt(start) * 1000n),
    );
    const counts = new Map<string, number>();
    const found = new Set<string>();
    for (const { start, count, outcome } of await this.#rows(sql, selected, options)) {
      counts.set(`${Number(start) / 1000} ${cellText(outcome)}`, Number(count));
      found.add(cellText(outcome));
    }
    const series = outcomeKeys.filter((key) => key === "failed" || key === "hidden" || found.has(key));
    const buckets = starts.map((start): [string, ...number[]] => [
      new Date(start).toISOString(),
      ...series.map((key) => counts.get(`${start} ${key}`) ?? 0),
    ]);
    return { width: width.seconds, unit: width.name, series, buckets };
  }
}

/** Failures of an issue and of those with the same message, which are counted with it. */
function withSameMessage(selected: Selected, id: bigint): Selected {
  const issues = `SELECT o.id FROM issues o JOIN issues i USING (common_id) WHERE i.id = ${id}`;
  return { ...selected, where: `${selected.where} AND f.issue_id IN (${issues})` };
}

const anyState = ["or", ["=", ["node", "active"], true], ["=", ["node", "active"], false]];

/** SQL of the issues that the selected node has in the range. */
function ofNode({ node, from, to, everyKind }: Selected): string {
  return `SELECT f.issue_id FROM failures f WHERE f.node_id = ${node ?? -1}
    AND f.produced >= make_timestamp(${from}) AND f.produced < make_timestamp(${to}) AND ${everyKind}`;
}

function issueOf(row: JsonObject, extra: JsonObject): Issue {
  const { id, common, first, last } = row;
  const { file, line, certname, report, spark } = extra;
  const place: Place | null = typeof file === "string" ? { file, line: typeof line === "number" ? line : null } : null;
  const counts = new Map((Array.isArray(spark) ? spark : []) as unknown as [number, number][]);
  const { kind, type, title, message, state, isHere, elsewhere, still, events } = row as unknown as Issue;
  const { nodes, joined, recovered } = extra as unknown as Issue;
  return {
    id: publicId(BigInt(Number(id))),
    kind,
    type,
    title,
    message,
    state,
    common: publicId(BigInt(Number(common))),
    isHere,
    elsewhere,
    place,
    class: (extra["class"] ?? null) as string | null,
    nodes,
    still,
    joined,
    recovered,
    events,
    environments: extra["environments"] as unknown as string[],
    first: isoTime(first),
    last: isoTime(last),
    sample: { certname: cellText(certname), report: cellText(report) },
    spark: Array.from({ length: statements.SPARKS }, (_, part) => counts.get(part) ?? 0),
  };
}

/** µs since the epoch as an ISO text of milliseconds. */
function isoTime(micros: Json | undefined): string {
  return new Date(Math.floor(Number(micros) / 1000)).toISOString();
}

function timed(row: JsonObject, ...names: readonly string[]): JsonObject {
  return {
    ...row,
    ...Object.fromEntries(names.map((name) => [name, row[name] === null ? null : isoTime(row[name])])),
  };
}

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
