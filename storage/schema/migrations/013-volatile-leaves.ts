/**
 * Scalars of volatile facts (`storage/history/volatile-facts.ts`) in a table of their own. Most runs of an agent change only these, and
 * the engine reads the ids of all nodes to find the rows that a run replaces: of a tenth of the rows in a tenth of the time. The
 * other table keeps the rows that are rarely replaced. The view `fact_leaves` has both; a row of it has a number that is not the
 * engine's.
 *
 * Rows of nodes remain where they are until the node's next run: without the digest of its facts, all of them are written then.
 */
export const volatileLeaves = {
  version: 13,
  name: "volatile leaves apart from others",
  statements: [
    `CREATE TABLE volatile_leaves (
      node_id INTEGER NOT NULL,
      path_id INTEGER NOT NULL,
      value VARCHAR NOT NULL,
      sort_key VARCHAR NOT NULL
    )`,
    `ALTER TABLE fact_leaves RENAME TO steady_leaves`,
    `CREATE VIEW fact_leaves AS
       SELECT rowid, * FROM steady_leaves
       UNION ALL SELECT rowid + 1099511627776 AS rowid, * FROM volatile_leaves`,
    `UPDATE nodes SET facts_steady_digest = NULL WHERE facts_steady_digest IS NOT NULL`,
  ],
} as const;
