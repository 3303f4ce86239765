import type { Writer } from "./writer.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** A table whose rows many nodes share, and the table that says which of them a node has. */
interface Sharing {
  /** It has one row for each row that a node has: `node_id`, and the id of the shared row in a column. */
  readonly table: string;
  readonly column: string;
}

/** The tables with shared rows. */
const sharings: Readonly<Record<string, Sharing>> = {
  resources: { table: "catalog_resources", column: "resource_id" },
  edges: { table: "catalog_edges", column: "edge_id" },
};

/** Shared rows that are read in parts: items of WITH, and a SELECT of the rows. */
export interface RowsInParts {
  readonly items: readonly string[];
  readonly rows: string;
}

/**
 * Rows of a table by their ids, in parts between the largest gaps of the ids. What nodes share was stored long ago in part, and in part
 * with the last changes of each node. The engine unpacks all values between the first and the last id that it looks for: without parts
 * those of most of the table.
 * @param ids a SELECT of the ids as `id`, each once
 * @param gaps how many gaps there are between parts
 * @param name what the names of the items begin with
 */
export function rowsInParts(
  table: string,
  { ids, gaps, name }: { readonly ids: string; readonly gaps: number; readonly name: string },
): RowsInParts {
  const [found, numbered] = [`${name}_ids`, `${name}_parts`];
  const least = `SELECT min(gap) FROM (SELECT gap FROM ${found} ORDER BY gap DESC NULLS LAST LIMIT ${gaps})`;
  const part = `count(*) FILTER (WHERE gap >= (${least})) OVER (ORDER BY id)`;
  const names = Array.from({ length: gaps + 1 }, (_, number) => `${name}_part${number}`);
  return {
    items: [
      duckdb.tables.once(found, `SELECT id, id - lag(id) OVER (ORDER BY id) AS gap FROM (${ids})`),
      duckdb.tables.once(numbered, `SELECT id, ${part} AS part FROM ${found}`),
      // Several gaps may be as large as the least of the largest ones.
      ...names.map((each, number) =>
        duckdb.tables.once(each, `SELECT id FROM ${numbered} WHERE part ${number < gaps ? "=" : ">="} ${number}`),
      ),
    ],
    rows: names.map((each) => `SELECT * FROM ${table} WHERE id IN (SELECT id FROM ${each})`).join(" UNION ALL "),
  };
}

/**
 * The rows of a table that some nodes have, in two parts: SQL that replaces the name of the table.
 * @param nodes their ids, which are not parameters, because not all text that is made of a column is used
 * @returns undefined where nodes do not share rows of the table
 */
export function rowsOfNodes(writer: Writer, table: string, nodes: readonly number[]): string | undefined {
  const sharing = sharings[table];
  if (sharing === undefined) return undefined;
  writer.read(sharing.table);
  const ids = nodes.map((node) => `SELECT ${sharing.column} AS id FROM ${sharing.table} WHERE node_id = ${node}`);
  const { items, rows } = rowsInParts(table, {
    ids: `SELECT DISTINCT id FROM (${ids.join(" UNION ALL ")})`,
    gaps: 1,
    name: table,
  });
  return `(WITH ${items.join(", ")} ${rows})`;
}
