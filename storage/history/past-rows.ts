import type { FullName, OverlayTable, Script } from "../engine/overlay.ts";
import type { TableVersions } from "../engine/table-versions.ts";
import type { historyTables } from "./state.ts";

/** The past time whose tables are made, and how they are named. */
export interface Past {
  /** SQL of the time. */
  readonly time: string;
  /** The beginning of the names of its tables. */
  readonly prefix: "" | "past_";
  readonly table: FullName;
}

/** Changes of a table that are computed once for many statements; more are computed by each, which needs no memory for them. */
export const MAX_COMPUTED = 50_000;

/** A stored table whose rows belong to nodes: at a past time it had those of now, without what came since, and with what went. */
export interface PastRows {
  readonly name: string;
  readonly history: (typeof historyTables)[number];
  /** The dictionary whose numbers `came` and `went` have. */
  readonly dictionary?: string;
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

/** What a SELECT of past rows is made of; what is absent has no rows. */
interface Sources {
  readonly came?: string | undefined;
  readonly first?: string | undefined;
  readonly went?: string | undefined;
}

function pastSelect({ name, columns, keys }: PastRows, { table }: Past, sources: Sources, isComputed: boolean): string {
  const { came, first, went } = sources;
  const others = [
    ...(came === undefined ? [] : [{ rows: `${came} came` as const, same: keys }]),
    ...(first === undefined ? [] : [{ rows: `(${first}) first` as const, same: ["node_id"] }]),
  ];
  const present = `SELECT ${columns} FROM ${table(name)} now${withoutMatches(others, isComputed)}`;
  return went === undefined ? present : `${present} UNION ALL ${went}`;
}

/** Rows that those of a table are compared with. */
interface OtherRows {
  /** A table or subquery, and its alias. */
  readonly rows: `${string} ${"came" | "first"}`;
  /** The columns that are the same in a match, `node_id` among them. */
  readonly same: readonly string[];
}

/**
 * SQL after a table `now`: of its rows only those without a match. An outer join lets the engine limit the other rows to those of
 * the nodes that a query selects; where they are computed, an ANTI JOIN is faster.
 */
export function withoutMatches(others: readonly OtherRows[], isComputed: boolean): string {
  const joined = others.map(({ rows, same }) => ({ rows, same, as: rows.slice(rows.lastIndexOf(" ") + 1) }));
  const joins = joined.map(({ rows, same, as }) => {
    const condition = same.map((column) => `${as}.${column} = now.${column}`).join(" AND ");
    return ` ${isComputed ? "ANTI" : "LEFT"} JOIN ${rows} ON ${condition}`;
  });
  const where = joined.map(({ as }) => `${as}.node_id IS NULL`).join(" AND ");
  return `${joins.join("")}${isComputed || where === "" ? "" : ` WHERE ${where}`}`;
}

/** SELECT of the rows of the time. */
export function plainRows(rows: PastRows, past: Past): string {
  const [came, went] = [`(${rows.came(past)})`, rows.went(past)];
  return pastSelect(rows, past, { came, first: withFirst(past, rows.first), went }, false);
}

/** A view of the rows of the time, for which changes are computed once while none is recorded. */
export function pastRows(rows: PastRows, pastOf: (table: FullName) => Past, versions: TableVersions): OverlayTable {
  const { name, history, dictionary } = rows;
  const view = (select: string): string => `CREATE OR REPLACE TEMP VIEW ${name} AS ${select}`;
  const plain = (table: FullName): string => view(plainRows(rows, pastOf(table)));
  const sources = [history, "history_nodes", ...(dictionary === undefined ? [] : [dictionary])];
  const make = async (script: Script, table: FullName): Promise<void> => {
    const past = pastOf(table);
    const { changes, first } = await laterChanges(script, past, rows);
    if (changes > MAX_COMPUTED) return script.run(plain(table));
    const filled = async (kind: string, select: string): Promise<string | undefined> => {
      const isFilled =
        changes > 0 && (await script.count(`CREATE OR REPLACE TEMP TABLE ${name}_${kind} AS ${select}`)) > 0;
      return isFilled ? `temp.main.${name}_${kind}` : undefined;
    };
    const [came, went] = [await filled("came", rows.came(past)), await filled("went", rows.went(past))];
    await script.run(view(pastSelect(rows, past, { came, first, went: went && `FROM ${went}` }, true)));
  };
  return {
    name,
    statements: (table) => [plain(table)],
    computed: { version: () => versions.ofTables(sources), make },
  };
}

/** A table of the time whose rows are counted: by node, and by other columns. */
export interface CountedRows extends Pick<PastRows, "name" | "history" | "dictionary"> {
  readonly countedBy?: readonly string[];
}

/** The name of the table with the numbers of rows of another. */
export function rowCountsName(table: string): string {
  return `${table}_counted`;
}

/** The numbers of rows that nodes had; they are computed once while no row comes or goes. */
export function countedRows(
  { name, history, dictionary, countedBy = [] }: CountedRows,
  versions: TableVersions,
): OverlayTable {
  const view = (rows: string): string => `CREATE OR REPLACE TEMP VIEW ${rowCountsName(name)} AS ${rows}`;
  const kept = `${name}_counts`;
  const columns = ["node_id", ...countedBy].join(", ");
  const sources = [name, history, "history_nodes", ...(dictionary === undefined ? [] : [dictionary])];
  return {
    name: rowCountsName(name),
    reads: [name],
    statements: () => [view(`SELECT ${columns}, 1 AS rows FROM temp.main.${name}`)],
    computed: {
      version: () => versions.ofTables(sources),
      make: (script) =>
        script.run(
          `CREATE OR REPLACE TEMP TABLE ${kept} AS
            SELECT ${columns}, count(*) AS rows FROM temp.main.${name} GROUP BY ${columns}`,
          view(`FROM temp.main.${kept}`),
        ),
    },
  };
}

/** The number of changes after the time, and {@link withFirst} unless there is no such node. */
export async function laterChanges(
  script: Script,
  past: Past,
  { history, first: what }: Pick<PastRows, "history" | "first">,
): Promise<{ readonly changes: number; readonly first: string | undefined }> {
  const { table, time } = past;
  const first = withFirst(past, what);
  // Both in one statement: the number of changes is below 2^40.
  const both = await script.count(`SELECT (SELECT count(*) FROM ${table(history)} WHERE changed > ${time})
    + (SELECT (count(*) > 0)::BIGINT << 40 FROM (${first}))`);
  const hasFirst = both >= 2 ** 40;
  return { changes: hasFirst ? both - 2 ** 40 : both, first: hasFirst ? first : undefined };
}

/** A dictionary that is computed: rows that statements read while nothing of its sources changes. */
export interface PastDictionary {
  /** Of the view. */
  readonly name: string;
  readonly reads?: readonly string[];
  /** The stored table. */
  readonly dictionary: string;
  /** What it is computed from, besides. */
  readonly sources: readonly string[];
  /** SELECT of rows; `isWhole`: of all, or else of those that the stored table does not have. */
  readonly rows: (past: Past) => string;
  readonly isWhole: boolean;
}

/** SELECT of the rows of a dictionary. */
export function plainDictionary({ dictionary, rows, isWhole }: PastDictionary, past: Past): string {
  return isWhole ? rows(past) : `FROM ${past.table(dictionary)} UNION ALL ${rows(past)}`;
}

/** A view of a dictionary, of which rows are computed once while nothing that they are computed from changes. */
export function pastDictionary(
  of: PastDictionary,
  pastOf: (table: FullName) => Past,
  versions: TableVersions,
): OverlayTable {
  const { name, reads = [], dictionary, sources, rows, isWhole } = of;
  const view = (text: string): string => `CREATE OR REPLACE TEMP VIEW ${name} AS ${text}`;
  const plain = (table: FullName): string => view(plainDictionary(of, pastOf(table)));
  const make = async (script: Script, table: FullName): Promise<void> => {
    const all = table(dictionary);
    if ((await script.count(`SELECT count(*) FROM ${all}`)) > MAX_COMPUTED) return script.run(plain(table));
    const kept = `temp.main.${name}_then`;
    const count = await script.count(`CREATE OR REPLACE TEMP TABLE ${name}_then AS ${rows(pastOf(table))}`);
    await script.run(
      view(isWhole ? `FROM ${kept}` : count === 0 ? `FROM ${all}` : `FROM ${all} UNION ALL FROM ${kept}`),
    );
  };
  return {
    name,
    reads,
    statements: (table) => [plain(table)],
    computed: { version: () => versions.ofTables([dictionary, ...sources]), make },
  };
}
