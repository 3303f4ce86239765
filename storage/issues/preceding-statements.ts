/**
 * Statements that count recorded changes on two sets of nodes, each in its own time. Each has one text column, a JSON array:
 * `[path, value, change, selected, rest]`, of changes that at least `$5` selected nodes had. The nodes are in `$1`, since when (µs,
 * excluded) and until when their changes count in `$2` and `$3`, and whether they are selected (`true`, `false`) in `$4`.
 */

const nodes = `m AS MATERIALIZED (
  SELECT unnest($1::INTEGER[]) AS node_id, make_timestamp(unnest($2::BIGINT[])) AS since,
    make_timestamp(unnest($3::BIGINT[])) AS until, unnest($4::BOOLEAN[]) AS chosen
)`;

/** @param path SQL of a JSON list @param value SQL of JSON */
function counted(
  table: string,
  { path, value, change, where = "true" }: Record<"path" | "value" | "change", string> & { where?: string },
): string {
  return `WITH ${nodes},
found AS (
  SELECT ${path} AS path, ${value} AS value, ${change} AS change, h.node_id, m.chosen
  FROM ${table} h JOIN m ON m.node_id = h.node_id AND h.changed > m.since AND h.changed <= m.until WHERE ${where}
)
SELECT concat('[', path, ',', value, ',', to_json(change), ',', count(DISTINCT node_id) FILTER (chosen), ',',
  count(DISTINCT node_id) FILTER (NOT chosen), ']')
FROM found GROUP BY path, value, change HAVING count(DISTINCT node_id) FILTER (chosen) >= $5`;
}

function howChanged(before: string, after: string): string {
  return `CASE WHEN ${before} IS NULL THEN 'added' WHEN ${after} IS NULL THEN 'removed' ELSE 'changed' END`;
}

/** Facts by path and the value after the change. */
export const facts = counted("history_facts", {
  path: "h.path",
  value: "coalesce(h.after, 'null')",
  change: howChanged("h.before", "h.after"),
});

/** Packages by name and provider, and the versions after the change. */
export const packages = counted("history_packages", {
  path: "to_json([h.name, h.provider])::VARCHAR",
  value: "to_json(h.after)::VARCHAR",
  change: howChanged("nullif(h.before, [])", "nullif(h.after, [])"),
});

/** Resources by type and title, whatever is different of them: that is rarely the same on two nodes. */
export const resources = counted("history_resources", {
  path: "to_json([h.type, h.title])::VARCHAR",
  value: "'null'",
  change: howChanged("h.before_id", "h.after_id"),
});

/** Environment, code version and producer, by their new values; the first facts and the first catalog. */
export const values = counted("history_nodes", {
  path: "to_json([h.what])::VARCHAR",
  value: "CASE WHEN h.what IN ('facts', 'catalog') THEN 'null' ELSE coalesce(to_json(h.after)::VARCHAR, 'null') END",
  change: howChanged("h.before", "h.after"),
  where:
    "h.what IN ('environment', 'producer', 'code_id', 'facts_environment', 'facts_producer') OR (h.what IN ('facts', 'catalog') AND h.before IS NULL)",
});
