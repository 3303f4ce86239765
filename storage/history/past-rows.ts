import type { FullName } from "../engine/overlay.ts";
import type { historyTables } from "./state.ts";

/** The past time whose tables are made, and how they are named. */
export interface Past {
  /** SQL of the time. */
  readonly time: string;
  /** The beginning of the names of its tables. */
  readonly prefix: "" | "past_";
  readonly table: FullName;
}

/** A stored table whose rows belong to nodes: at a past time it had those of now, without what came since, and with what went. */
export interface PastRows {
  readonly name: string;
  readonly history: (typeof historyTables)[number];
  /** Of nodes whose first facts, or first catalog, came since, nothing is recorded. */
  readonly first: "facts" | "catalog";
  /** The columns of the present rows, which are named `now`. */
  readonly columns: string;
  /** The columns by which {@link came} finds present rows. */
  readonly keys: readonly string[];
  /** SELECT of the keys of present rows that changed since. */
  readonly came: (past: Past) => string;
  /** SELECT of the rows of the time that are not there now. */
  readonly went: (past: Past) => string;
}

/** Nodes whose first facts, or first catalog, came after the time. */
export function withFirst({ table, time }: Past, what: PastRows["first"]): string {
  return `SELECT node_id FROM ${table("history_nodes")} WHERE changed > ${time} AND what = '${what}' AND before IS NULL`;
}

/**
 * What changed after the time: the first of the later changes of each thing has what was there.
 * @param key the columns that identify a thing
 * @param value SQL of what was there
 */
export function firstLater({ table, time }: Past, history: PastRows["history"], key: string, value: string): string {
  return `(SELECT ${key}, first(${value} ORDER BY changed, number) AS before
    FROM (SELECT rowid AS number, * FROM ${table(history)} WHERE changed > ${time}) GROUP BY ${key})`;
}

/** Rows that those of a table are compared with. */
interface OtherRows {
  /** A subquery in parentheses. */
  readonly rows: string;
  /** The columns that are the same in a match, `node_id` among them. */
  readonly same: readonly string[];
}

/**
 * SQL after a table `now`: of its rows only those without a match. An outer join lets the engine limit the other rows to those of
 * the nodes that a query selects, which an ANTI JOIN does not.
 */
export function withoutMatches(others: readonly OtherRows[]): string {
  const joins = others.map(({ rows, same }, at) => {
    const condition = same.map((column) => `other${at}.${column} = now.${column}`).join(" AND ");
    return ` LEFT JOIN ${rows} other${at} ON ${condition}`;
  });
  return `${joins.join("")} WHERE ${others.map((_, at) => `other${at}.node_id IS NULL`).join(" AND ")}`;
}

/** SELECT of the rows of the time. */
export function rowsThen({ name, columns, keys, came, first, went }: PastRows, past: Past): string {
  const others = [
    { rows: `(${came(past)})`, same: keys },
    { rows: `(${withFirst(past, first)})`, same: ["node_id"] },
  ];
  return `SELECT ${columns} FROM ${past.table(name)} now${withoutMatches(others)} UNION ALL ${went(past)}`;
}

/** A dictionary of a past time. */
export interface PastDictionary {
  /** Of the view. */
  readonly name: string;
  /** The stored table. */
  readonly dictionary: string;
  /** SELECT of rows; `isWhole`: of all, or else of those that the stored table does not have. */
  readonly rows: (past: Past) => string;
  readonly isWhole: boolean;
}

/** SELECT of the rows of a dictionary. */
export function dictionaryThen({ dictionary, rows, isWhole }: PastDictionary, past: Past): string {
  return isWhole ? rows(past) : `FROM ${past.table(dictionary)} UNION ALL ${rows(past)}`;
}
