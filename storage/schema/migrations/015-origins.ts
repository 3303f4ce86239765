/**
 * What servers that this one follows (origins) list of each node, as of the last time that it was stored here. A document was
 * stored in the transaction that wrote its hash and times; those of the origin are kept even where ours are others.
 */
export const origins = {
  version: 15,
  name: "origins",
  statements: [
    `CREATE TABLE origin_nodes (
      origin VARCHAR NOT NULL,
      node_id INTEGER NOT NULL,
      facts_timestamp TIMESTAMP,
      facts_produced TIMESTAMP,
      facts_hash VARCHAR,
      catalog_timestamp TIMESTAMP,
      catalog_produced TIMESTAMP,
      catalog_hash VARCHAR,
      inputs_produced TIMESTAMP,
      inputs_uuid VARCHAR,
      report_hash VARCHAR,
      deactivated TIMESTAMP,
      expired TIMESTAMP,
      expires_facts BOOLEAN,
      expires_facts_updated TIMESTAMP
    )`,
  ],
} as const;
