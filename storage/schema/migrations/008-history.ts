/**
 * What changed: a log beside the tables of the present, which it does not affect. Each table has the rows of a node in
 * the order of its producer times, because older documents than the stored ones are not stored. The state at a time is
 * the present one without the changes after that time.
 *
 * - `history_facts`: scalars of facts by their path, a JSON array. Values of more than 4 kB are represented by an object
 *   with their digest. NULL is an absent value. The path is a text, because keeping rows of `fact_paths` would change what
 *   that entity returns.
 * - `history_resources` and `history_edges` refer to the dictionaries, whose rows are kept for them.
 * - `history_packages` has the versions of a package: there may be several at a time.
 * - `history_nodes` has columns of `nodes` by their names in the entity `catalog_changes`.
 * - `history_state` has one row once anything may have been recorded: since when changes are complete.
 */
export const history = {
  version: 8,
  name: "history",
  statements: [
    `CREATE TABLE history_facts (
      node_id INTEGER NOT NULL,
      path VARCHAR NOT NULL,
      before VARCHAR,
      after VARCHAR,
      changed TIMESTAMP NOT NULL
    )`,
    `CREATE TABLE history_resources (
      node_id INTEGER NOT NULL,
      type VARCHAR NOT NULL,
      title VARCHAR NOT NULL,
      before_id INTEGER,
      after_id INTEGER,
      changed TIMESTAMP NOT NULL,
      transaction_uuid VARCHAR
    )`,
    `CREATE TABLE history_edges (
      node_id INTEGER NOT NULL,
      edge_id INTEGER NOT NULL,
      came BOOLEAN NOT NULL,
      changed TIMESTAMP NOT NULL,
      transaction_uuid VARCHAR
    )`,
    `CREATE TABLE history_packages (
      node_id INTEGER NOT NULL,
      name VARCHAR NOT NULL,
      provider VARCHAR NOT NULL,
      before VARCHAR[] NOT NULL,
      after VARCHAR[] NOT NULL,
      changed TIMESTAMP NOT NULL
    )`,
    `CREATE TABLE history_nodes (
      node_id INTEGER NOT NULL,
      what VARCHAR NOT NULL,
      before VARCHAR,
      after VARCHAR,
      changed TIMESTAMP NOT NULL,
      transaction_uuid VARCHAR
    )`,
    "CREATE TABLE history_state (begun TIMESTAMP NOT NULL)",
  ],
} as const;
