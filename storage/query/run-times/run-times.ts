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

/** Runs of active nodes; `$1`: their environment, or NULL. */
const counted = `n.deactivated IS NULL AND n.expired IS NULL AND ($1::VARCHAR IS NULL OR r.environment = $1)`;

const typesSql = `WITH latest AS (
  SELECT n.certname, r.hash, unnest(from_json(r.metrics, '[{"category":"VARCHAR","name":"VARCHAR","value":"DOUBLE"}]')) AS m
  FROM nodes n JOIN reports r ON r.id = n.report_id WHERE ${counted}
)
SELECT m.name AS type, sum(m.value) AS seconds, count(*)::INTEGER AS runs, max(m.value) AS longest,
  arg_max(certname, m.value) AS certname, arg_max(hash, m.value) AS report
FROM latest WHERE m.category = 'time' AND m.value >= 0 AND m.name NOT IN (${notTypes.map(quotedText).join(", ")})
GROUP BY ALL ORDER BY seconds DESC, type`;

const nodesSql = `WITH runs AS (
  SELECT n.certname, (epoch_us(r.end_time) - epoch_us(r.start_time)) / 1000000 AS seconds,
    row_number() OVER (PARTITION BY r.node_id ORDER BY r.producer_timestamp DESC) AS age
  FROM reports r JOIN nodes n ON n.id = r.node_id
  WHERE r.id > 0 AND r.type = 'agent' AND r.end_time >= r.start_time AND ${counted}
), compared AS (
  SELECT certname, median(seconds) FILTER (age > ${RECENT_RUNS}) AS earlier, median(seconds) FILTER (age <= ${RECENT_RUNS}) AS recent,
    count(*) - ${RECENT_RUNS} AS runs
  FROM runs GROUP BY certname HAVING count(*) >= ${RECENT_RUNS + EARLIER_RUNS}
)
SELECT certname, earlier, recent, recent / earlier AS factor, runs::INTEGER AS runs FROM compared
WHERE earlier > 0 AND recent >= earlier * ${LONGER_FACTOR} AND recent >= earlier + ${LONGER_SECONDS}
ORDER BY factor DESC, certname`;

/** Types of resources by the time that the latest runs spent on them. */
export async function slowestTypes(
  database: ReadableDatabase,
  { environment }: RunTimesSpec,
  options: ReadOptions,
): Promise<SlowestTypes> {
  return { types: await database.rows<SlowestTypes["types"][number]>(typesSql, [environment ?? null], options) };
}

/** Nodes whose recent runs take markedly longer than their own before. */
export async function slowerNodes(
  database: ReadableDatabase,
  { environment }: RunTimesSpec,
  options: ReadOptions,
): Promise<SlowerNodes> {
  return { nodes: await database.rows<SlowerNodes["nodes"][number]>(nodesSql, [environment ?? null], options) };
}
