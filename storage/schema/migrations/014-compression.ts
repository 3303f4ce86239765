/**
 * The compression of texts that take most of a store, or that many queries read. Left alone, the engine takes the one that it
 * believes to be the smallest, and underestimates zstd: documents of reports take a third of the space with it, parameters half, and
 * are read as fast. Titles and hashes of resources are read ten times as fast where they are not compressed: the engine unpacks all
 * texts of a block to read one of them.
 *
 * `columnCompressions` (`storage/schema/compressions.ts`) has the same, for tables that are rewritten.
 */
export const compression = {
  version: 14,
  name: "compression by column",
  statements: [
    `ALTER TABLE resources RENAME TO resources_13`,
    `CREATE TABLE resources (
      id INTEGER NOT NULL,
      digest VARCHAR NOT NULL,
      hash VARCHAR NOT NULL USING COMPRESSION uncompressed,
      type VARCHAR NOT NULL,
      title VARCHAR NOT NULL USING COMPRESSION uncompressed,
      tags VARCHAR[] NOT NULL,
      exported BOOLEAN NOT NULL,
      file VARCHAR,
      line BIGINT,
      parameters VARCHAR NOT NULL USING COMPRESSION zstd,
      digest_start BIGINT,
      digest_end BIGINT
    )`,
    // The engine preserves the order of rows. Sorting them would need memory for all texts.
    `INSERT INTO resources SELECT * FROM resources_13`,
    `DROP TABLE resources_13`,
    `ALTER TABLE resource_parameters RENAME TO resource_parameters_13`,
    `CREATE TABLE resource_parameters (
      resource_id INTEGER NOT NULL,
      name VARCHAR NOT NULL,
      value VARCHAR NOT NULL USING COMPRESSION zstd,
      digest BIGINT NOT NULL
    )`,
    `INSERT INTO resource_parameters SELECT * FROM resource_parameters_13`,
    `DROP TABLE resource_parameters_13`,
    `ALTER TABLE reports RENAME TO reports_13`,
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
      metrics VARCHAR USING COMPRESSION zstd,
      logs VARCHAR USING COMPRESSION zstd,
      resources VARCHAR USING COMPRESSION zstd
    )`,
    `INSERT INTO reports SELECT * FROM reports_13`,
    `DROP TABLE reports_13`,
  ],
} as const;
