import { EARLIER_RUNS, LONGER_FACTOR, LONGER_SECONDS, notTypes, RECENT_RUNS } from "../../display/run-time.ts";
import type { ReadableDatabase } from "../../engine/overlaid.ts";
import { quotedText } from "../../engine/quoted-text.ts";
import type { ReadOptions } from "../../engine/statements.ts";
import type { SlowerNodes, SlowestTypes } from "./answer.ts";

/** Whose runs count. */
export interface RunTimesSpec {
  /** Runs in this environment alone; undefined: in all. */
  readonly environment?: string | undefined;
}

/** Runs are known by their ids as long as they are many: texts would take as much time as all the rest. */
const typesSql = (counted: string): string => `WITH latest AS (
  SELECT r.id, unnest(list_filter(
    from_json(r.metrics, '[{"category":"VARCHAR","name":"VARCHAR","value":"DOUBLE"}]'), lambda m: m.category = 'time'
  )) AS m
  FROM nodes n JOIN reports r ON r.id = n.report_id WHERE ${counted}
), types AS (
  SELECT m.name AS type, sum(m.value) AS seconds, count(*) AS runs, max(m.value) AS longest, arg_max(id, m.value) AS id
  FROM latest WHERE m.value >= 0 AND m.name NOT IN (${notTypes.map(quotedText).join(", ")}) GROUP BY m.name
)
SELECT to_json({
  'type': t.type, 'seconds': seconds, 'runs': runs, 'longest': longest, 'certname': n.certname, 'report': r.hash
})::VARCHAR FROM types t JOIN reports r USING (id) JOIN nodes n ON n.id = r.node_id ORDER BY seconds DESC, t.type`;

const nodesSql = (counted: string): string => `WITH runs AS (
  SELECT r.node_id, (epoch_us(r.end_time) - epoch_us(r.start_time)) / 1000000 AS seconds,
    row_number() OVER (PARTITION BY r.node_id ORDER BY r.producer_timestamp DESC) AS age
  FROM reports r JOIN nodes n ON n.id = r.node_id
  WHERE r.id > 0 AND r.type = 'agent' AND r.end_time >= r.start_time AND ${counted}
), compared AS (
  SELECT node_id, median(seconds) FILTER (age > ${RECENT_RUNS}) AS earlier, median(seconds) FILTER (age <= ${RECENT_RUNS}) AS recent,
    count(*) - ${RECENT_RUNS} AS runs
  FROM runs GROUP BY node_id HAVING count(*) >= ${RECENT_RUNS + EARLIER_RUNS}
)
SELECT to_json({
  'certname': certname, 'earlier': earlier, 'recent': recent, 'factor': recent / earlier, 'runs': runs
})::VARCHAR FROM compared JOIN nodes n ON n.id = node_id
WHERE earlier > 0 AND recent >= earlier * ${LONGER_FACTOR} AND recent >= earlier + ${LONGER_SECONDS}
ORDER BY recent / earlier DESC, certname`;

/** Types of resources by the time that the latest runs spent on them. */
export async function slowestTypes(
  database: ReadableDatabase,
  spec: RunTimesSpec,
  options: ReadOptions,
): Promise<SlowestTypes> {
  return { types: await read(database, typesSql, spec, options) };
}

/** Nodes whose recent runs take markedly longer than their own before. */
export async function slowerNodes(
  database: ReadableDatabase,
  spec: RunTimesSpec,
  options: ReadOptions,
): Promise<SlowerNodes> {
  return { nodes: await read(database, nodesSql, spec, options) };
}

/** @param sql a statement about the runs that a condition selects */
async function read<Row>(
  database: ReadableDatabase,
  sql: (counted: string) => string,
  { environment }: RunTimesSpec,
  options: ReadOptions,
): Promise<Row[]> {
  const active = "n.deactivated IS NULL AND n.expired IS NULL";
  const statement =
    environment === undefined
      ? { sql: sql(active), values: [] }
      : { sql: sql(`${active} AND r.environment = $1`), values: [environment] };
  const found: Row[] = [];
  // Metrics are long texts.
  const ofState = database.snapshot(([view]) => view.stream(statement), { ...options, freesAtEnd: true });
  for await (const rows of ofState) found.push(...rows.texts().map((text) => JSON.parse(text) as Row));
  return found;
}
