import { reportDueSql } from "../states/report-interval.ts";
import { outcomeSql } from "../states/outcome-sql.ts";
import type { IssueOrder } from "./issue.ts";

/*
 * SQL of issues. The parameter `$1` of all statements is the list of the ids of the nodes whose failures count, as a text.
 */

/** The failures that count. */
export interface FailureSelection {
  /** The time range, of which the end is excluded, and since when an issue is new; µs since the epoch. */
  readonly from: bigint;
  readonly to: bigint;
  readonly newSince: bigint;
  /** The node whose issues are selected. */
  readonly node: number | undefined;
  /** SQL of what else restricts them, over `f`, a failure. */
  readonly where: string;
}

const moment = (micros: bigint): string => `make_timestamp(${micros})`;

function inRange({ from, to }: FailureSelection): string {
  return `f.produced >= ${moment(from)} AND f.produced < ${moment(to)}`;
}

function counting({ where }: FailureSelection): string {
  return `chosen AS (SELECT id, report_id FROM nodes WHERE id IN (SELECT unnest($1::INTEGER[]))),
counting AS (
  SELECT f.*, coalesce(n.report_id = f.report_id, false) AS is_latest FROM failures f JOIN chosen n ON n.id = f.node_id WHERE ${where}
)`;
}

/** Failures of one issue within the range. */
function ofIssue(selection: FailureSelection, issue: bigint): string {
  return `f.issue_id = ${issue} AND ${inRange(selection)}`;
}

const order: Readonly<Record<IssueOrder, string>> = {
  still: "still DESC, events DESC",
  nodes: "nodes DESC",
  last: "last DESC",
  first: "first DESC",
  events: "events DESC",
};

/**
 * Issues with their counts: rows `id`, `common`, `kind`, `type`, `title`, `message`, `state`, `isHere`, `elsewhere`, `still`, `events`,
 * `first` and `last` (µs). Of all that the filters select, `total`, and `of_new` … by state. A report has an issue at most once, so that
 * the nodes that still have it are its failures in latest reports. Nodes of each issue are counted only to order by them: it is most of
 * the work.
 */
export function listSql(
  selection: FailureSelection,
  { filter, state, by, limit }: { filter: string; state: string; by: IssueOrder; limit: number },
): string {
  const day = moment(selection.newSince);
  const nodes = by === "nodes" ? `count(DISTINCT f.node_id) FILTER (${inRange(selection)})` : "NULL";
  return `WITH ${counting(selection)},
counted AS (
  SELECT f.issue_id, ${nodes} AS nodes, count(*) FILTER (f.is_latest) AS still,
    coalesce(bool_or(f.is_latest AND f.node_id = ${selection.node ?? -1}), false) AS here,
    sum(f.count) FILTER (${inRange(selection)}) AS events, min(f.produced) AS first, max(f.produced) AS last,
    max(f.produced) FILTER (f.produced < ${day}) AS before, min(f.produced) FILTER (f.produced >= ${day}) AS since
  FROM counting f GROUP BY f.issue_id HAVING events > 0
), returned AS (
  SELECT DISTINCT c.issue_id FROM counted c JOIN counting f USING (issue_id)
  JOIN reports r ON r.node_id = f.node_id AND r.producer_timestamp > c.before AND r.producer_timestamp < c.since
  WHERE c.still > 0 AND c.since - c.before >= INTERVAL 24 HOUR AND r.id > 0
), stated AS (
  SELECT i.*, c.*,
    CASE WHEN still = 0 THEN 'resolved' WHEN before IS NULL THEN 'new'
      WHEN c.issue_id IN (FROM returned) THEN 'regressed' ELSE 'continuing' END AS state
  FROM counted c JOIN issues i ON i.id = c.issue_id
), selected AS (SELECT * FROM stated WHERE ${filter}),
states AS (
  SELECT count(*) FILTER (state = 'new') AS of_new, count(*) FILTER (state = 'regressed') AS of_regressed,
    count(*) FILTER (state = 'continuing') AS of_continuing, count(*) FILTER (state = 'resolved') AS of_resolved,
    count(*) FILTER (${state}) AS total FROM selected
), listed AS (SELECT * FROM selected WHERE ${state} ORDER BY ${order[by]}, message, type, title, id LIMIT ${limit}),
same AS (SELECT common_id, count(*) - 1 AS elsewhere FROM stated WHERE common_id IN (SELECT common_id FROM listed) GROUP BY common_id)
SELECT to_json({'id': l.id, 'common': l.common_id, 'kind': l.kind, 'type': l.type, 'title': l.title, 'message': l.message,
  'state': l.state, 'isHere': l.here, 'elsewhere': o.elsewhere, 'still': l.still,
  'events': l.events::BIGINT, 'first': epoch_us(l.first), 'last': epoch_us(l.last), 'total': s.total,
  'of_new': s.of_new, 'of_regressed': s.of_regressed, 'of_continuing': s.of_continuing, 'of_resolved': s.of_resolved})::VARCHAR
FROM states s LEFT JOIN listed l ON true LEFT JOIN same o ON o.common_id = l.common_id
ORDER BY ${order[by]}, message, type, title, id`;
}

/** Parts of the range in a sparkline. */
export const SPARKS = 24;

/**
 * What else is shown of issues: rows `id`, `joined`, `recovered`, and within the range `nodes`, `environments`, `spark`, and of the latest
 * report `certname`, `report`, `class`, `file`, `line`.
 */
export function extrasSql(selection: FailureSelection, issues: readonly bigint[]): string {
  const isListed = `f.issue_id IN (SELECT unnest('[${issues.join()}]'::BIGINT[]))`;
  const day = moment(selection.newSince);
  const part = `(epoch_us(produced) - ${selection.from}) * ${SPARKS}.0 / ${selection.to - selection.from}`;
  return `WITH ${counting(selection)}, every AS (
  SELECT issue_id, report_id, node_id, produced, is_latest, environment, class, file, line FROM counting f WHERE ${isListed}
),
own AS (SELECT f.* FROM every f WHERE ${inRange(selection)}),
by_node AS (
  SELECT issue_id, node_id, bool_or(is_latest) AS has_still, min(produced) AS first, max(produced) AS last FROM every GROUP BY ALL
), moved AS (
  SELECT issue_id, count(*) FILTER (has_still AND first >= ${day}) AS joined, count(*) FILTER (NOT has_still AND last >= ${day}) AS recovered
  FROM by_node GROUP BY issue_id
), parts AS (
  SELECT issue_id, least(${SPARKS - 1}, floor(${part}))::INTEGER AS part,
    count(DISTINCT node_id) AS nodes FROM own GROUP BY ALL
), spark AS (SELECT issue_id, list([part, nodes]) AS parts FROM parts GROUP BY issue_id),
latest AS (
  SELECT issue_id, count(DISTINCT node_id) AS nodes, list(DISTINCT environment ORDER BY environment) FILTER (environment IS NOT NULL) AS environments,
    arg_max({'report': report_id, 'node': node_id, 'class': class, 'file': file, 'line': line}, (produced, report_id)) AS of
  FROM own GROUP BY issue_id
)
SELECT to_json({'id': l.issue_id, 'joined': m.joined, 'recovered': m.recovered, 'nodes': l.nodes, 'environments': coalesce(l.environments, []), 'spark': s.parts, 'certname': n.certname,
  'report': r.hash, 'class': l.of.class, 'file': l.of.file, 'line': l.of.line})::VARCHAR
FROM latest l JOIN spark s USING (issue_id) JOIN moved m USING (issue_id) JOIN nodes n ON n.id = l.of.node JOIN reports r ON r.id = l.of.report`;
}

/** The nodes of an issue. */
export function nodesSql(selection: FailureSelection, issue: bigint, limit: number): string {
  return `WITH ${counting(selection)}, by_node AS (
  SELECT f.node_id, min(f.produced) AS first, max(f.produced) AS last, bool_or(f.is_latest) AS still,
    arg_max({'report': f.report_id, 'environment': f.environment}, (f.produced, f.report_id)) AS of
  FROM counting f WHERE ${ofIssue(selection, issue)} GROUP BY f.node_id ORDER BY still DESC, last DESC LIMIT ${limit}
)
SELECT to_json({'certname': n.certname, 'environment': b.of.environment, 'still': b.still, 'first': epoch_us(b.first),
  'time': epoch_us(b.last), 'report': r.hash, 'report_timestamp': epoch_us(n.report_end_time),
  'report_due': epoch_us(${reportDueSql("n.report_end_time", "n.report_interval")}),
  'latest_report_status': n.report_status, 'latest_report_corrective_change': n.report_corrective_change,
  'latest_report_noop_pending': n.report_noop_pending, 'cached_catalog_status': n.cached_catalog_status})::VARCHAR
FROM by_node b JOIN nodes n ON n.id = b.node_id JOIN reports r ON r.id = b.of.report ORDER BY b.still DESC, b.last DESC, n.certname`;
}

/** The latest reports of an issue. */
export function reportsSql(selection: FailureSelection, issue: bigint, limit: number): string {
  return `WITH ${counting(selection)}, latest AS (
  SELECT DISTINCT f.report_id, f.node_id, f.produced FROM counting f WHERE ${ofIssue(selection, issue)}
  ORDER BY f.produced DESC, f.report_id DESC LIMIT ${limit}
)
SELECT to_json({'hash': r.hash, 'certname': n.certname, 'time': epoch_us(l.produced), 'status': ${outcomeSql("r")}})::VARCHAR
FROM latest l JOIN nodes n ON n.id = l.node_id JOIN reports r ON r.id = l.report_id ORDER BY l.produced DESC, l.report_id DESC`;
}

/** Reports with an issue, by the latest start that is not later, and by outcome. */
export function histogramSql(selection: FailureSelection, issue: bigint, starts: readonly bigint[]): string {
  return `WITH ${counting(selection)}, own AS (
  SELECT DISTINCT f.report_id, f.produced FROM counting f WHERE ${ofIssue(selection, issue)}
), starts AS (SELECT make_timestamp(unnest('[${starts.join()}]'::BIGINT[])) AS start)
SELECT to_json({'start': epoch_us(s.start), 'count': count(*), 'outcome': ${outcomeSql("r")}})::VARCHAR
FROM own o ASOF JOIN starts s ON o.produced >= s.start JOIN reports r ON r.id = o.report_id GROUP BY s.start, ${outcomeSql("r")}`;
}

/** The original messages of an issue. */
export function messagesSql(selection: FailureSelection, issue: bigint, limit: number): string {
  return `WITH ${counting(selection)}
SELECT to_json({'message': f.message, 'count': sum(f.count)::BIGINT})::VARCHAR FROM counting f WHERE ${ofIssue(selection, issue)}
GROUP BY f.message ORDER BY sum(f.count) DESC, f.message LIMIT ${limit}`;
}

/** The first report with an issue, whatever the range, and the node's report before. */
export function beginSql(selection: FailureSelection, issue: bigint): string {
  return `WITH ${counting(selection)}, first AS (
  SELECT f.report_id, f.node_id, f.produced FROM counting f WHERE f.issue_id = ${issue} ORDER BY f.produced, f.report_id LIMIT 1
)
SELECT to_json({'certname': n.certname, 'report': r.hash, 'time': epoch_us(f.produced), 'version': r.configuration_version,
  'versionBefore': (SELECT arg_max(b.configuration_version, b.producer_timestamp) FROM reports b
    WHERE b.id > 0 AND b.node_id = f.node_id AND b.type <> 'plan' AND b.producer_timestamp < f.produced)})::VARCHAR
FROM first f JOIN nodes n ON n.id = f.node_id JOIN reports r ON r.id = f.report_id`;
}

/** When each node had an issue first within the range: `[node, µs]`. */
export function firstFailuresSql(selection: FailureSelection, issue: bigint): string {
  return `WITH ${counting(selection)}
SELECT to_json([f.node_id, epoch_us(min(f.produced))])::VARCHAR FROM counting f WHERE ${ofIssue(selection, issue)} GROUP BY f.node_id`;
}
