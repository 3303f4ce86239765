import { firstLater, type Past, type PastDictionary, type PastRows, withFirst, withoutMatches } from "./past-rows.ts";

/** Ids that the dictionaries do not use: for paths and packages that no node has now. */
const PAST_IDS = 2_147_483_648n;

/** SQL of the id of what no node has now. */
export function pastId(of: string): string {
  return `(${PAST_IDS} + (hash(${of}) >> 3)::BIGINT)`;
}

/** SQL of the type of a scalar in facts, by its JSON text. A long text is recorded as an object with its digest. */
function leafType(value: string): string {
  return `CASE WHEN ${value}[1] IN ('"', '{') THEN 'string' WHEN ${value} IN ('true', 'false') THEN 'boolean'
    WHEN ${value} = 'null' THEN 'null' WHEN regexp_full_match(${value}, '-?[0-9]+') THEN 'integer' ELSE 'float' END`;
}

const HISTORY = "history_facts";
const id = pastId("g.path, g.type");
const same = "p.path_json = g.path AND p.type = g.type";

function changed(past: Past): string {
  return firstLater(past, HISTORY, "node_id, path", "before");
}

export const factLeaves: PastRows = {
  name: "fact_leaves",
  history: HISTORY,
  first: "facts",
  columns: "now.*",
  keys: ["node_id", "path_id"],
  came: ({ table, time }) => `SELECT h.node_id, p.id AS path_id FROM ${table(HISTORY)} h
    JOIN ${table("fact_paths")} p ON p.path_json = h.path WHERE h.changed > ${time}`,
  went: (
    past,
  ) => `SELECT -1 - (hash(g.node_id, g.path, g.type) >> 2)::BIGINT AS rowid, g.node_id, coalesce(p.id, ${id}) AS path_id,
      g.value, census_sort_key(g.value) AS sort_key
    FROM (SELECT c.node_id, c.path, c.before AS value, ${leafType("c.before")} AS type FROM ${changed(past)} c
      ANTI JOIN (${withFirst(past, "facts")}) f USING (node_id) WHERE c.before NOT IN ('[]', '{}')) g
    LEFT JOIN ${past.table("fact_paths")} p ON ${same}`,
};

/**
 * The facts that changed: the value of one that itself changed, and what to undo of one of which parts did, which leaves what is
 * not recorded as it is now.
 */
function changedFacts(past: Past): string {
  return `SELECT c.node_id, c.path->>0 AS name, any_value(c.before) FILTER (json_array_length(c.path) = 1) AS value,
      '[' || string_agg('[' || c.path || coalesce(', ' || c.before, '') || ']', ', ') || ']' AS changes
    FROM ${changed(past)} c ANTI JOIN (${withFirst(past, "facts")}) f USING (node_id) GROUP BY ALL`;
}

/** SELECT of what {@link changedFacts} were. */
function undone(past: Past): string {
  return `SELECT node_id, name, value, census_sort_key(value) AS sort_key FROM (
      SELECT c.node_id, c.name, any_value(coalesce(c.value, census_undo(coalesce(f.value, ''), c.changes))) AS value
      FROM (${changedFacts(past)}) c LEFT JOIN ${past.table("facts")} f ON f.node_id = c.node_id AND f.name = c.name
      GROUP BY ALL
    ) WHERE value <> ''`;
}

/** SELECT of the facts of the time. */
export function factsThen(past: Past): string {
  const { table, time } = past;
  const changes = `(SELECT node_id, path->>0 AS name FROM ${table(HISTORY)} WHERE changed > ${time})`;
  const others = [
    { rows: changes, same: ["node_id", "name"] },
    { rows: `(${withFirst(past, "facts")})`, same: ["node_id"] },
  ];
  return `SELECT now.* FROM ${table("facts")} now${withoutMatches(others)} UNION ALL ${undone(past)}`;
}

/** Paths of the present, and those of the time that no node has now. */
export const knownPaths: PastDictionary = {
  name: "known_paths",
  dictionary: "fact_paths",
  isWhole: false,
  rows: ({ table, time }) => {
    const pathOf = `${id} AS id, census_path(g.path) AS path, g.path->>0 AS name, g.type, json_array_length(g.path) - 1 AS depth,
      from_json(g.path, '["VARCHAR"]') AS elements,
      list_aggregate(list_transform(from_json(g.path, '["JSON"]'), lambda e: if((e::VARCHAR)[1] = '"', 's', 'i')), 'string_agg', '')
        AS kinds, g.path AS path_json`;
    return `SELECT ${pathOf} FROM (SELECT DISTINCT path, ${leafType("before")} AS type
        FROM ${table(HISTORY)} WHERE changed > ${time} AND before NOT IN ('[]', '{}')) g
      ANTI JOIN ${table("fact_paths")} p ON ${same}`;
  },
};

/** Paths that were in use. A structured fact has a row without leaves, which only its name is read of. */
export const factPaths: PastDictionary = {
  name: "fact_paths",
  dictionary: "fact_paths",
  isWhole: true,
  rows: ({ prefix }) => {
    const own = `temp.main.${prefix}`;
    return `SELECT p.* FROM ${own}known_paths p SEMI JOIN ${own}fact_leaves l ON l.path_id = p.id UNION ALL
      SELECT NULL, name, name, 'json', 0, [name], 's', to_json([name])::VARCHAR FROM (
        SELECT DISTINCT name FROM ${own}facts WHERE value[1] IN ('{', '[') AND value NOT IN ('{}', '[]'))`;
  },
};
