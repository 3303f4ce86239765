import type { Statement } from "../engine/statements.ts";
import type { SearchedTexts } from "../search/kinds.ts";
import { duckdb } from "./dialect/duckdb.ts";

/** The most resources or facts that a search looks at, where that is limited: as many as have a few million characters. */
const MOST_FOUND: Readonly<Record<SearchedTexts, number>> = {
  titles: 20_000,
  parameters: 10_000,
  values: 20_000,
  logs: Infinity,
};

/** The latest reports that are found one by one. */
const OLDEST = 1000;

/** The only text without a found row: the search is limited, and there is more. */
export const MORE = "null";

/**
 * Statements that search texts where each is stored once, which no query can do; `$1` and so on are the words in lower case.
 * @param count how many words there are
 * @param limit the LIMIT of what is found, if any
 */
const statements = {
  /**
   * Resources other than classes that have each word in their type or title: type, title, and how many active nodes have
   * one.
   */
  titles: (count, limit) => {
    const found = `
        SELECT id, type, title FROM resources
        WHERE type <> 'Class' AND ${ofEach(count, inAny("lower(type)", "lower(title)"), "AND")}${limit}
      `;
    return `WITH ${duckdb.tables.once("found", found)}
      SELECT concat('{"type":', ${duckdb.json.piece("f.type")}, ',"title":', ${duckdb.json.piece("f.title")}, ',"count":', count(*), '}')
      ${ofActiveNodes} GROUP BY f.type, f.title`;
  },

  /**
   * Resources that are equal but for their tags, file and line, where each word may occur in them, and one in the
   * parameters: type, title, parameters, and how many there are on active nodes.
   */
  parameters: (count, limit) => {
    const [inParameters, anywhere] = [
      inAny("parameters_lower"),
      inAny("parameters_lower", "lower(type)", "lower(title)"),
    ];
    const found = `
        SELECT id, type, title, parameters FROM (SELECT *, lower(parameters) AS parameters_lower FROM resources)
        WHERE (${ofEach(count, inParameters, "OR")})${count === 1 ? "" : ` AND ${ofEach(count, anywhere, "AND")}`}${limit}
      `;
    return `WITH ${duckdb.tables.once("found", found)}
      SELECT concat('{"type":', ${duckdb.json.piece("f.type")}, ',"title":', ${duckdb.json.piece("f.title")}, ',"parameters":', f.parameters,
        ',"count":', count(*), '}')
      ${ofActiveNodes} GROUP BY f.type, f.title, f.parameters`;
  },

  /**
   * Facts of active nodes that have each word in their name or value, and one in the value: path, value, and how many nodes have
   * that value.
   */
  values: (count, limit) => {
    const [inValue, anywhere] = [inAny("lower(value)"), inAny("lower(f.value)", "lower(p.name)")];
    const found = `SELECT node_id, path_id, value FROM fact_leaves WHERE path_id >= 0 AND (${ofEach(count, inValue, "OR")})${limit}`;
    return `WITH ${duckdb.tables.once("found", found)}
      SELECT concat('{"path":', p.path_json, ',"value":', f.value, ',"count":', count(*), '}')
      FROM found f JOIN fact_paths p ON p.id = f.path_id JOIN nodes n ON n.id = f.node_id
      WHERE n.deactivated IS NULL AND n.expired IS NULL${count === 1 ? "" : ` AND ${ofEach(count, anywhere, "AND")}`}
      GROUP BY p.path_json, f.value`;
  },

  /** The logs of the latest reports of active nodes where each word may occur in them. */
  logs: (count) => {
    // Most of these reports are beside each other, but those of nodes that are silent. The engine reads all between the first and the last.
    const latest = `SELECT report_id, row_number() OVER (ORDER BY report_id) AS place FROM nodes
      WHERE report_id IS NOT NULL AND deactivated IS NULL AND expired IS NULL`;
    // With a column of each table, or the engine would search all reports before it joins them.
    const logs = "CASE WHEN l.report_id IS NULL THEN '' ELSE r.logs END";
    const parts = [`place <= ${OLDEST}`, `place > ${OLDEST}`].map(
      (places) => `SELECT concat('{"logs":', r.logs, '}') FROM reports r
        JOIN (SELECT report_id FROM latest WHERE ${places}) l ON l.report_id = r.id
        WHERE ${ofEach(count, inAny(`lower(${logs})`), "AND")}`,
    );
    return `WITH ${duckdb.tables.once("latest", latest)} ${parts.join(" UNION ALL ")}`;
  },
} as const satisfies Record<SearchedTexts, (count: number, limit: string) => string>;

const ofActiveNodes = `FROM found f JOIN catalog_resources c ON c.resource_id = f.id JOIN nodes n ON n.id = c.node_id
      WHERE n.deactivated IS NULL AND n.expired IS NULL`;

/**
 * @param words texts that are written alike in JSON; at least one
 * @param isLimited whether to look at only so much that a word which nearly everything has is answered as fast as any other; where there
 *   is more, one of the texts is {@link MORE}
 */
export function containingTexts(texts: SearchedTexts, words: readonly string[], isLimited = false): Statement {
  if (words.length === 0) throw new Error("no words");
  const most = MOST_FOUND[texts];
  const hasLimit = isLimited && most < Infinity;
  const sql = statements[texts](words.length, hasLimit ? ` LIMIT ${most}` : "");
  const more = ` UNION ALL SELECT '${MORE}' FROM (SELECT count(*) AS rows FROM found) WHERE rows = ${most}`;
  return { sql: hasLimit ? `${sql}${more}` : sql, values: words.map((word) => word.toLowerCase()) };
}

/** Whether one of some texts in lower case contains a word. */
function inAny(...texts: readonly string[]): (word: string) => string {
  return (word) => {
    const tests = texts.map((text) => duckdb.texts.contains(text, word));
    return tests.length === 1 ? tests.join("") : `(${tests.join(" OR ")})`;
  };
}

function ofEach(count: number, condition: (word: string) => string, join: "AND" | "OR"): string {
  return Array.from({ length: count }, (_, index) => condition(`$${index + 1}`)).join(` ${join} `);
}
