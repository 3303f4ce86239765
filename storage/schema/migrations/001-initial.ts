/**
 * The first schema. Its tables have three shapes:
 *
 * - `nodes` is one wide row per certname: the node's state and the metadata of its current factset, catalog, catalog
 *   inputs and latest report. So an unchanged factset or catalog rewrites only one row, and every query that needs a
 *   certname or an environment joins this one small table.
 * - Dictionaries: what many catalogs share is stored once (`resources`, `edges`, `packages`), and each node has ids of
 *   its rows (`catalog_resources`, `catalog_edges`, `node_packages`).
 * - Leaves: `fact_leaves` has one row per scalar in a node's facts, with its path in the dictionary `fact_paths`.
 *
 * JSON is VARCHAR in the text format of PostgreSQL's jsonb (storage/jsonb/text.ts); `sort_key` columns order and compare
 * such values as jsonb does (storage/jsonb/sort-key.ts). Times are UTC microseconds. There are no indexes or keys: DuckDB
 * does not release the space of deleted rows in tables that have one, and zone maps are enough for our queries.
 */
export const initial = {
  version: 1,
  name: "initial",
  statements: [
    `CREATE TABLE nodes (
      id INTEGER NOT NULL,
      certname VARCHAR NOT NULL,
      deactivated TIMESTAMP,
      expired TIMESTAMP,
      expires_facts BOOLEAN,
      expires_facts_updated TIMESTAMP,
      facts_environment VARCHAR,
      facts_producer VARCHAR,
      facts_hash VARCHAR,
      facts_timestamp TIMESTAMP,
      facts_producer_timestamp TIMESTAMP,
      catalog_environment VARCHAR,
      catalog_producer VARCHAR,
      catalog_hash VARCHAR,
      catalog_timestamp TIMESTAMP,
      catalog_producer_timestamp TIMESTAMP,
      catalog_version VARCHAR,
      catalog_transaction_uuid VARCHAR,
      catalog_uuid VARCHAR,
      catalog_code_id VARCHAR,
      catalog_job_id VARCHAR,
      inputs_hash VARCHAR,
      inputs_uuid VARCHAR,
      inputs_producer_timestamp TIMESTAMP,
      report_id BIGINT,
      report_hash VARCHAR,
      report_environment VARCHAR,
      report_end_time TIMESTAMP,
      report_producer_timestamp TIMESTAMP,
      report_status VARCHAR,
      report_noop BOOLEAN,
      report_noop_pending BOOLEAN,
      report_corrective_change BOOLEAN,
      report_job_id VARCHAR,
      cached_catalog_status VARCHAR
    )`,
    `CREATE TABLE environments (name VARCHAR NOT NULL)`,
    `CREATE TABLE producers (name VARCHAR NOT NULL)`,

    // One row per node and top-level fact.
    `CREATE TABLE facts (
      node_id INTEGER NOT NULL,
      name VARCHAR NOT NULL,
      value VARCHAR NOT NULL,
      sort_key VARCHAR NOT NULL
    )`,
    // `path` is the encoded path (elements joined with #~), `elements` the same as texts, `kinds` one letter per
    // element: s for a hash key, i for an array index. type is string, integer, float, boolean, null, or json for a
    // structured top-level fact, which has a row here but none in fact_leaves.
    `CREATE TABLE fact_paths (
      id INTEGER NOT NULL,
      path VARCHAR NOT NULL,
      name VARCHAR NOT NULL,
      type VARCHAR NOT NULL,
      depth INTEGER NOT NULL,
      elements VARCHAR[] NOT NULL,
      kinds VARCHAR NOT NULL,
      path_json VARCHAR NOT NULL
    )`,
    `CREATE TABLE fact_leaves (
      node_id INTEGER NOT NULL,
      path_id INTEGER NOT NULL,
      value VARCHAR NOT NULL,
      sort_key VARCHAR NOT NULL
    )`,

    // Distinct resources of all catalogs; `hash` is PuppetDB's identity hash of type, title and parameters.
    `CREATE TABLE resources (
      id INTEGER NOT NULL,
      digest VARCHAR NOT NULL,
      hash VARCHAR NOT NULL,
      type VARCHAR NOT NULL,
      title VARCHAR NOT NULL,
      tags VARCHAR[] NOT NULL,
      exported BOOLEAN NOT NULL,
      file VARCHAR,
      line BIGINT,
      parameters VARCHAR NOT NULL
    )`,
    // value is serialized as PuppetDB compares it: canonical JSON text.
    `CREATE TABLE resource_parameters (
      resource_id INTEGER NOT NULL,
      name VARCHAR NOT NULL,
      value VARCHAR NOT NULL
    )`,
    `CREATE TABLE catalog_resources (node_id INTEGER NOT NULL, resource_id INTEGER NOT NULL)`,
    `CREATE TABLE edges (
      id INTEGER NOT NULL,
      digest VARCHAR NOT NULL,
      source_type VARCHAR NOT NULL,
      source_title VARCHAR NOT NULL,
      target_type VARCHAR NOT NULL,
      target_title VARCHAR NOT NULL,
      relationship VARCHAR NOT NULL
    )`,
    `CREATE TABLE catalog_edges (node_id INTEGER NOT NULL, edge_id INTEGER NOT NULL)`,
    `CREATE TABLE catalog_inputs (node_id INTEGER NOT NULL, type VARCHAR NOT NULL, name VARCHAR NOT NULL)`,

    `CREATE TABLE packages (id INTEGER NOT NULL, name VARCHAR NOT NULL, version VARCHAR NOT NULL, provider VARCHAR NOT NULL)`,
    `CREATE TABLE node_packages (node_id INTEGER NOT NULL, package_id INTEGER NOT NULL)`,

    // metrics, logs and resources (every resource status, changed or not) are the documents as sent.
    `CREATE TABLE reports (
      id BIGINT NOT NULL,
      node_id INTEGER NOT NULL,
      hash VARCHAR NOT NULL,
      type VARCHAR NOT NULL,
      status VARCHAR,
      environment VARCHAR,
      producer VARCHAR,
      producer_timestamp TIMESTAMP NOT NULL,
      receive_time TIMESTAMP NOT NULL,
      start_time TIMESTAMP NOT NULL,
      end_time TIMESTAMP NOT NULL,
      puppet_version VARCHAR NOT NULL,
      report_format INTEGER NOT NULL,
      configuration_version VARCHAR NOT NULL,
      transaction_uuid VARCHAR,
      catalog_uuid VARCHAR,
      code_id VARCHAR,
      job_id VARCHAR,
      cached_catalog_status VARCHAR,
      noop BOOLEAN,
      noop_pending BOOLEAN,
      corrective_change BOOLEAN,
      metrics VARCHAR,
      logs VARCHAR,
      resources VARCHAR
    )`,
    // position: the event's index in its report. old_value and new_value are canonical JSON text, null included.
    `CREATE TABLE events (
      report_id BIGINT NOT NULL,
      position INTEGER NOT NULL,
      status VARCHAR NOT NULL,
      timestamp TIMESTAMP NOT NULL,
      resource_type VARCHAR NOT NULL,
      resource_title VARCHAR NOT NULL,
      property VARCHAR,
      name VARCHAR,
      old_value VARCHAR,
      new_value VARCHAR,
      message VARCHAR,
      file VARCHAR,
      line BIGINT,
      containment_path VARCHAR[],
      containing_class VARCHAR,
      corrective_change BOOLEAN
    )`,
  ],
} as const;
