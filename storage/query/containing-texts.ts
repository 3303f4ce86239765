import type { Statement } from "../engine/statements.ts";
import type { Dialect } from "./dialect/dialect.ts";
import type { SearchedTexts } from "../search/kinds.ts";

/**
 * Statements that search texts where each is stored once, which no query can do; `$1` and so on are the words in lower case.
 * @param count how many words there are
 */
const statements = {
  /**
   * Resources other than classes that have each word in their type or title: type, title, and how many active nodes have
   * one.
   */
  titles: (count, { json, tables, texts }) => {
    const inName = (word: string): string => `(${inText(texts, "type", word)} OR ${inText(texts, "title", word)})`;
    const found = `
        SELECT id, type, title FROM resources
        WHERE type <> 'Class' AND ${ofEach(count, inName, "AND")}
      `;
    return `WITH ${tables.once("found", found)}
      SELECT concat('{"type":', ${json.piece("f.type")}, ',"title":', ${json.piece("f.title")}, ',"count":', count(*), '}')
      ${ofActiveNodes} GROUP BY f.type, f.title`;
  },

  /**
   * Resources that are equal but for their tags, file and line, where each word may occur in them, and one in the
   * parameters: type, title, parameters, and how many there are on active nodes.
   */
  parameters: (count, { json, tables, texts }) => {
    const inParameters = (word: string): string => texts.contains("parameters_lower", word);
    const anywhere = (word: string): string =>
      `(${inParameters(word)} OR ${inText(texts, "type", word)} OR ${inText(texts, "title", word)})`;
    const found = `
        SELECT id, type, title, parameters FROM (SELECT *, lower(parameters) AS parameters_lower FROM resources)
        WHERE (${ofEach(count, inParameters, "OR")})${count === 1 ? "" : ` AND ${ofEach(count, anywhere, "AND")}`}
      `;
    return `WITH ${tables.once("found", found)}
      SELECT concat('{"type":', ${json.piece("f.type")}, ',"title":', ${json.piece("f.title")}, ',"parameters":', f.parameters,
        ',"count":', count(*), '}')
      ${ofActiveNodes} GROUP BY f.type, f.title, f.parameters`;
  },

  /**
   * Facts of active nodes that have each word in their name or value, and one in the value: path, value, and how many nodes have
   * that value.
   */
  values: (count, { tables, texts }) => {
    const inValue = (word: string): string => inText(texts, "value", word);
    const anywhere = (word: string): string =>
      `(${inText(texts, "f.value", word)} OR ${inText(texts, "p.name", word)})`;
    const found = `SELECT node_id, path_id, value FROM fact_leaves WHERE path_id >= 0 AND (${ofEach(count, inValue, "OR")})`;
    return `WITH ${tables.once("found", found)}
      SELECT concat('{"path":', p.path_json, ',"value":', f.value, ',"count":', count(*), '}')
      FROM found f JOIN fact_paths p ON p.id = f.path_id JOIN nodes n ON n.id = f.node_id
      WHERE n.deactivated IS NULL AND n.expired IS NULL${count === 1 ? "" : ` AND ${ofEach(count, anywhere, "AND")}`}
      GROUP BY p.path_json, f.value`;
  },

  /** The logs of the latest reports of active nodes where each word may occur in them. */
  logs: (count, { texts }) => {
    // With a column of each table, or the engine would search all reports before it joins them.
    const logs = "CASE WHEN n.id IS NULL THEN '' ELSE r.logs END";
    return `SELECT concat('{"logs":', r.logs, '}') FROM reports r JOIN nodes n ON n.report_id = r.id
      WHERE n.deactivated IS NULL AND n.expired IS NULL AND ${ofEach(count, (word) => inText(texts, logs, word), "AND")}`;
  },
} as const satisfies Record<SearchedTexts, (count: number, dialect: Dialect) => string>;

const ofActiveNodes = `FROM found f JOIN catalog_resources c ON c.resource_id = f.id JOIN nodes n ON n.id = c.node_id
      WHERE n.deactivated IS NULL AND n.expired IS NULL`;

/** @param words texts that are written alike in JSON; at least one */
export function containingTexts(dialect: Dialect, texts: SearchedTexts, words: readonly string[]): Statement {
  if (words.length === 0) throw new Error("no words");
  return { sql: statements[texts](words.length, dialect), values: words.map((word) => word.toLowerCase()) };
}

function inText(texts: Dialect["texts"], column: string, word: string): string {
  return texts.contains(`lower(${column})`, word);
}

function ofEach(count: number, condition: (word: string) => string, join: "AND" | "OR"): string {
  return Array.from({ length: count }, (_, index) => condition(`$${index + 1}`)).join(` ${join} `);
}
