import type { Overlay } from "../engine/statements.ts";
import type { Timestamp } from "../time.ts";
import { pastNames, pastNodes } from "./past-nodes.ts";
import { historyTables } from "./state.ts";

/** Full names of stored tables. */
type Table = (name: string) => string;

/** The beginnings of names of an overlay's tables: they hide the stored tables, or are beside views that do. */
type Prefix = "" | "past_";

/** Ids that the dictionaries do not use: for paths and packages that no node has now. */
const PAST_IDS = 2_147_483_648n;

/**
 * The tables as they were at a time: what is stored now, without what changed since, and with what was there before. They are
 * views, so that each statement sees one state of the store, whatever is stored meanwhile. The columns of nodes are computed
 * once for each connection.
 * @param generation other than before where what is computed has changed
 */
export function pastTables(at: Timestamp, generation: number): Overlay {
  return { key: `${at} ${generation}`, setUp: (table) => statements(table, at, "") };
}

/** What replaces the stored tables on a connection where their names are those of something else. */
export interface ReplacedTables {
  /** The statements that make the replacements; `table` returns the full name of a stored table. */
  readonly setUp: (table: Table) => readonly string[];
  /** The full name of what is read in place of a stored table; `inJoin`: of what a join reads. */
  readonly nameOf: (name: string, table: Table, inJoin?: boolean) => string;
}

/** The tables as they were at a time, beside views that have the names of stored tables. */
export function pastTablesBesides(at: Timestamp): ReplacedTables {
  const prefix = "past_";
  const names = new Set(["nodes", "environments", "producers", ...Object.keys(views(String, "", prefix))]);
  return {
    setUp: (table) => statements(table, at, prefix),
    nameOf: (name, table, inJoin = false) => {
      const wanted = inJoin ? (pastDictionaries[name] ?? name) : name;
      return names.has(wanted) ? `temp.main.${prefix}${wanted}` : table(wanted);
    },
  };
}

/** The statements that make the tables of a time. */
function statements(table: Table, at: Timestamp, prefix: Prefix): string[] {
  const time = `make_timestamp(${at})`;
  return [
    `CREATE TEMP TABLE ${prefix}nodes AS ${pastNodes(table, time)}`,
    ...pastNames(table, time, prefix),
    ...Object.entries(views(table, time, prefix)).map(
      ([name, select]) => `CREATE TEMP VIEW ${prefix}${name} AS ${select}`,
    ),
  ];
}

/**
 * Dictionaries that joins read in place of tables, because they need not know which rows were in use: these also have rows
 * that no node had then.
 */
export const pastDictionaries: Readonly<Record<string, string>> = {
  fact_paths: "known_paths",
  packages: "known_packages",
};

function views(table: Table, time: string, prefix: Prefix): Readonly<Record<string, string>> {
  return {
    ...pastFacts(table, time, prefix),
    ...pastPackages(table, time, prefix),
    ...pastCatalogs(table, time),
    reports: `SELECT rowid, * FROM ${table("reports")} WHERE producer_timestamp <= ${time}`,
    events: `SELECT e.rowid, e.* FROM ${table("events")} e
      ANTI JOIN (SELECT id FROM ${table("reports")} WHERE producer_timestamp > ${time}) r ON r.id = e.report_id`,
    catalog_inputs: `SELECT i.* FROM ${table("catalog_inputs")} i
      SEMI JOIN (SELECT id FROM ${table("nodes")} WHERE inputs_producer_timestamp <= ${time}) n ON n.id = i.node_id`,
    ...Object.fromEntries(
      historyTables.map((name) => [name, `SELECT rowid, * FROM ${table(name)} WHERE changed <= ${time}`]),
    ),
  };
}

/**
 * What changed after the time: the first of the later changes of each thing has what was there.
 * @param key the columns that identify a thing
 * @param value SQL of what was there
 */
function firstLater(changes: string, time: string, key: string, value: string): string {
  return `(SELECT ${key}, first(${value} ORDER BY changed, number) AS before
    FROM (SELECT rowid AS number, * FROM ${changes} WHERE changed > ${time}) GROUP BY ${key})`;
}

/** Nodes whose first facts, or first catalog, came after the time: what they have is not recorded as changes. */
function without(table: Table, time: string, what: "facts" | "catalog"): string {
  return `(SELECT node_id FROM ${table("history_nodes")} WHERE changed > ${time} AND what = '${what}' AND before IS NULL)`;
}

function pastFacts(table: Table, time: string, prefix: Prefix): Record<string, string> {
  const own = `temp.main.${prefix}`;
  const [history, leaves, paths, facts] = [
    table("history_facts"),
    table("fact_leaves"),
    table("fact_paths"),
    table("facts"),
  ];
  const changed = firstLater(history, time, "node_id, path", "before");
  const first = without(table, time, "facts");
  const gone = `(SELECT c.node_id, c.path, c.before AS value, ${leafType("c.before")} AS type FROM ${changed} c
    ANTI JOIN ${first} f USING (node_id) WHERE c.before NOT IN ('[]', '{}'))`;
  const id = pastId("g.path, g.type");
  const same = "p.path_json = g.path AND p.type = g.type";
  const pathOf = `${id} AS id, census_path(g.path) AS path, g.path->>0 AS name, g.type, json_array_length(g.path) - 1 AS depth,
    from_json(g.path, '["VARCHAR"]') AS elements,
    list_aggregate(list_transform(from_json(g.path, '["JSON"]'), lambda e: if(e::VARCHAR[1] = '"', 's', 'i')), 'string_agg', '')
      AS kinds, g.path AS path_json`;
  const before = `(SELECT DISTINCT path, ${leafType("before")} AS type FROM ${history}
    WHERE changed > ${time} AND before NOT IN ('[]', '{}'))`;
  // A change of the fact itself, not of a part of it, says what its value was.
  const documents = `(SELECT node_id, path->>0 AS name, any_value(before) FILTER (json_array_length(path) = 1) AS scalar,
      '[' || string_agg('[' || path || coalesce(', ' || before, '') || ']', ', ') || ']' AS changes
    FROM ${changed} GROUP BY ALL)`;
  return {
    fact_leaves: `SELECT l.rowid, l.* FROM ${leaves} l
        ANTI JOIN (SELECT h.node_id, p.id FROM ${history} h JOIN ${paths} p ON p.path_json = h.path WHERE h.changed > ${time}) c
          ON c.node_id = l.node_id AND c.id = l.path_id
        ANTI JOIN ${first} f ON f.node_id = l.node_id
      UNION ALL
      SELECT -1 - (hash(g.node_id, g.path, g.type) >> 2)::BIGINT AS rowid, g.node_id, coalesce(p.id, ${id}) AS path_id, g.value, census_sort_key(g.value) AS sort_key
      FROM ${gone} g LEFT JOIN ${paths} p ON ${same}`,
    facts: `SELECT f.* FROM ${facts} f
        ANTI JOIN (SELECT node_id, path->>0 AS name FROM ${history} WHERE changed > ${time}) c
          ON c.node_id = f.node_id AND c.name = f.name
        ANTI JOIN ${first} n ON n.node_id = f.node_id
      UNION ALL
      SELECT node_id, name, value, census_sort_key(value) AS sort_key FROM (
        SELECT c.node_id, c.name, any_value(coalesce(c.scalar, census_undo(coalesce(f.value, ''), c.changes))) AS value
        FROM ${documents} c LEFT JOIN ${facts} f ON f.node_id = c.node_id AND f.name = c.name
        ANTI JOIN ${first} n ON n.node_id = c.node_id GROUP BY ALL
      ) WHERE value <> ''`,
    known_paths: `FROM ${paths} UNION ALL SELECT ${pathOf} FROM ${before} g ANTI JOIN ${paths} p ON ${same}`,
    past_paths: `SELECT p.* FROM ${own}known_paths p SEMI JOIN ${own}fact_leaves l ON l.path_id = p.id`,
    // A structured fact has a row without leaves, which only its name is read of.
    fact_paths: `FROM ${own}past_paths UNION ALL
      SELECT NULL, name, name, 'json', 0, [name], 's', to_json([name])::VARCHAR FROM (
        SELECT DISTINCT name FROM ${own}facts WHERE value[1] IN ('{', '[') AND value NOT IN ('{}', '[]'))`,
  };
}

/** SQL of the type of a scalar in facts, by its JSON text. A long text is recorded as an object with its digest. */
function leafType(value: string): string {
  return `CASE WHEN ${value}[1] IN ('"', '{') THEN 'string' WHEN ${value} IN ('true', 'false') THEN 'boolean'
    WHEN ${value} = 'null' THEN 'null' WHEN regexp_full_match(${value}, '-?[0-9]+') THEN 'integer' ELSE 'float' END`;
}

function pastId(of: string): string {
  return `(${PAST_IDS} + (hash(${of}) >> 3)::BIGINT)`;
}

function pastPackages(table: Table, time: string, prefix: Prefix): Record<string, string> {
  const own = `temp.main.${prefix}`;
  const [history, owned, packages] = [table("history_packages"), table("node_packages"), table("packages")];
  const changed = firstLater(history, time, "node_id, name, provider", "before");
  const first = without(table, time, "facts");
  const gone = `(SELECT c.node_id, c.name, c.provider, unnest(c.before) AS version FROM ${changed} c ANTI JOIN ${first} f USING (node_id))`;
  const before = `(SELECT DISTINCT name, unnest(before) AS version, provider FROM ${history} WHERE changed > ${time})`;
  const same = "k.name = g.name AND k.version = g.version AND k.provider = g.provider";
  const id = pastId("g.name, g.version, g.provider");
  return {
    node_packages: `SELECT o.* FROM ${owned} o
        ANTI JOIN (SELECT h.node_id, k.id FROM ${history} h JOIN ${packages} k ON k.name = h.name AND k.provider = h.provider
          WHERE h.changed > ${time}) c ON c.node_id = o.node_id AND c.id = o.package_id
        ANTI JOIN ${first} f ON f.node_id = o.node_id
      UNION ALL
      SELECT g.node_id, coalesce(k.id, ${id}) AS package_id FROM ${gone} g LEFT JOIN ${packages} k ON ${same}`,
    known_packages: `FROM ${packages} UNION ALL
      SELECT ${id} AS id, g.name, g.version, g.provider FROM ${before} g ANTI JOIN ${packages} k ON ${same}`,
    packages: `SELECT k.* FROM ${own}known_packages k SEMI JOIN ${own}node_packages o ON o.package_id = k.id`,
  };
}

function pastCatalogs(table: Table, time: string): Record<string, string> {
  const [resources, edges] = [table("history_resources"), table("history_edges")];
  const first = without(table, time, "catalog");
  const hadResource = firstLater(resources, time, "node_id, type, title", "before_id");
  const edgeCame = firstLater(edges, time, "node_id, edge_id", "came");
  return {
    catalog_resources: `SELECT c.* FROM ${table("catalog_resources")} c
        ANTI JOIN (SELECT node_id, after_id FROM ${resources} WHERE changed > ${time} AND after_id IS NOT NULL) h
          ON h.node_id = c.node_id AND h.after_id = c.resource_id
        ANTI JOIN ${first} f ON f.node_id = c.node_id
      UNION ALL
      SELECT h.node_id, h.before AS resource_id, h.type FROM ${hadResource} h ANTI JOIN ${first} f USING (node_id)
      WHERE h.before IS NOT NULL`,
    catalog_edges: `SELECT c.* FROM ${table("catalog_edges")} c
        ANTI JOIN (SELECT node_id, edge_id FROM ${edges} WHERE changed > ${time}) h
          ON h.node_id = c.node_id AND h.edge_id = c.edge_id
        ANTI JOIN ${first} f ON f.node_id = c.node_id
      UNION ALL
      SELECT h.node_id, h.edge_id FROM ${edgeCame} h ANTI JOIN ${first} f USING (node_id) WHERE NOT h.before`,
  };
}
