import { nodeValueNames, type NodeValues } from "./node-recorder.ts";
import type { Past } from "./past-rows.ts";
import { documentTable } from "./state.ts";

/** How long before a time documents are searched: there are many, and most nodes send one every half hour. */
const RECENT = "INTERVAL 2 DAYS";

/** A value as it was before the first later change, or else what it is now. */
function value(what: keyof NodeValues, present: string): string {
  return `if(h.${what}_changed, h.${what}_before, ${present})`;
}

/**
 * SELECT of the rows of `nodes` at a time. What is not recorded of facts and catalogs that were replaced since comes from
 * the node's latest report of that time, or from the last change before it; the rest is null.
 */
export function pastNodes({ table, time }: Past): string {
  const changes = `(SELECT rowid AS number, * FROM ${table("history_nodes")})`;
  const had = nodeValueNames.map(
    (what) =>
      `bool_or(what = '${what}') AS ${what}_changed, any_value(before) FILTER (what = '${what}') AS ${what}_before`,
  );
  const facts = "(n.facts_hash IS NOT NULL AND NOT (coalesce(h.facts_changed, false) AND h.facts_before IS NULL))";
  const catalog = `(${value("catalog", "n.catalog_hash")} IS NOT NULL)`;
  const sameFacts = `(n.facts_producer_timestamp <= ${time})`;
  const sameCatalog = `(n.catalog_producer_timestamp <= ${time})`;
  const sameInputs = `(n.inputs_producer_timestamp <= ${time})`;
  const state = value("state", "NULL");
  const inactive = (kind: "deactivated" | "expired"): string =>
    `CASE WHEN ${state} IS NULL THEN n.${kind} WHEN ${state} = '${kind}' THEN coalesce(l.state_since, s.begun) END AS ${kind}`;
  const ofFacts = (column: string, past: string): string =>
    `CASE WHEN ${facts} THEN if(${sameFacts}, n.${column}, ${past}) END AS ${column}`;
  const ofCatalog = (column: string, past: string): string =>
    `CASE WHEN ${catalog} THEN if(${sameCatalog}, n.${column}, ${past}) END AS ${column}`;
  const ofInputs = (column: string): string => `if(${sameInputs}, n.${column}, NULL) AS ${column}`;
  const factsTime = "coalesce(d.facts, greatest(l.facts_since, r.start_time), s.begun)";
  const catalogTime = "coalesce(d.catalog, greatest(l.catalog_since, r.start_time), s.begun)";
  return `WITH later AS (
      SELECT node_id, what, first(before ORDER BY changed, number) AS before FROM ${changes} WHERE changed > ${time} GROUP BY ALL
    ), had AS (SELECT node_id, ${had.join(", ")} FROM later GROUP BY node_id
    ), last AS (
      SELECT node_id, max(changed) FILTER (what IN ('catalog', 'environment', 'producer', 'code_id')) AS catalog_since,
        max(changed) FILTER (what IN ('facts', 'facts_environment', 'facts_producer')) AS facts_since,
        max(changed) FILTER (what = 'state') AS state_since,
        arg_max(transaction_uuid, (changed, number)) FILTER (what = 'catalog') AS transaction_uuid
      FROM ${changes} WHERE changed <= ${time} GROUP BY node_id
    ), documents AS (
      SELECT node_id, max(produced) FILTER (NOT is_catalog) AS facts, max(produced) FILTER (is_catalog) AS catalog
      FROM ${table(documentTable)} WHERE produced BETWEEN ${time} - ${RECENT} AND ${time} GROUP BY node_id
    ), latest AS (
      SELECT node_id, arg_max(id, (producer_timestamp, -id)) AS id FROM ${table("reports")}
      WHERE producer_timestamp <= ${time} AND id > 0 AND type <> 'plan' GROUP BY node_id
    )
    SELECT n.id, n.certname, ${inactive("deactivated")}, ${inactive("expired")},
      n.expires_facts, n.expires_facts_updated,
      ${ofFacts("facts_environment", value("facts_environment", "n.facts_environment"))},
      ${ofFacts("facts_producer", value("facts_producer", "n.facts_producer"))},
      ${ofFacts("facts_hash", "NULL")},
      ${ofFacts("facts_timestamp", factsTime)},
      ${ofFacts("facts_producer_timestamp", factsTime)},
      ${ofCatalog("catalog_environment", value("environment", "n.catalog_environment"))},
      ${ofCatalog("catalog_producer", value("producer", "n.catalog_producer"))},
      ${ofCatalog("catalog_hash", value("catalog", "n.catalog_hash"))},
      ${ofCatalog("catalog_timestamp", catalogTime)},
      ${ofCatalog("catalog_producer_timestamp", catalogTime)},
      ${ofCatalog("catalog_version", "r.configuration_version")},
      ${ofCatalog("catalog_transaction_uuid", "coalesce(r.transaction_uuid, l.transaction_uuid)")},
      ${ofCatalog("catalog_uuid", "r.catalog_uuid")},
      ${ofCatalog("catalog_code_id", value("code_id", "n.catalog_code_id"))},
      ${ofCatalog("catalog_job_id", "r.job_id")},
      ${ofInputs("inputs_hash")}, ${ofInputs("inputs_uuid")}, ${ofInputs("inputs_producer_timestamp")},
      r.id AS report_id, r.hash AS report_hash, r.environment AS report_environment, r.end_time AS report_end_time,
      r.producer_timestamp AS report_producer_timestamp, r.status AS report_status, r.noop AS report_noop,
      r.noop_pending AS report_noop_pending,
      if(n.report_id = r.id, n.report_corrective_change, r.corrective_change) AS report_corrective_change,
      r.job_id AS report_job_id, r.cached_catalog_status, n.report_interval
    FROM ${table("nodes")} n CROSS JOIN (SELECT any_value(begun) AS begun FROM ${table("history_state")}) s
      LEFT JOIN had h ON h.node_id = n.id LEFT JOIN last l ON l.node_id = n.id
      LEFT JOIN documents d ON d.node_id = n.id
      LEFT JOIN latest t ON t.node_id = n.id LEFT JOIN ${table("reports")} r ON r.id = t.id
    WHERE ${facts} OR ${catalog} OR r.id IS NOT NULL OR coalesce(${sameInputs}, false)
      OR NOT (h.node_id IS NOT NULL OR coalesce(n.report_producer_timestamp > ${time}, false) OR n.inputs_producer_timestamp IS NOT NULL)
    ORDER BY n.id`;
}

const names = (selects: readonly string[]): string =>
  `SELECT name FROM (${selects.join(" UNION ")}) AS names(name) WHERE name IS NOT NULL`;

function ofNodes({ prefix }: Past, what: "environment" | "producer"): string[] {
  return ["facts", "catalog"].map((kind) => `SELECT ${kind}_${what} FROM temp.main.${prefix}nodes`);
}

function ofReports({ table, time }: Past, column: string): string {
  return `SELECT ${column} FROM ${table("reports")} WHERE producer_timestamp <= ${time} AND id > 0`;
}

function recordedProducers({ table, time }: Past): string[] {
  return ["before", "after"].map(
    (value) =>
      `SELECT ${value} FROM ${table("history_nodes")} WHERE changed <= ${time} AND what IN ('producer', 'facts_producer')`,
  );
}

/**
 * SELECTs of the rows of tables of names, which read `nodes`: the environments that facts, catalogs and reports had at the time,
 * and the producers that they have had.
 */
export const pastNames = {
  environments: (past: Past): string => names([...ofNodes(past, "environment"), ofReports(past, "environment")]),
  producers: (past: Past): string =>
    names([...ofNodes(past, "producer"), ofReports(past, "producer"), ...recordedProducers(past)]),
} as const;
