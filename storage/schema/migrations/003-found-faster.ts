/**
 * Speeds up the most frequent searches: a catalog's resources have their type, so that counting them needs no
 * dictionary, and a parameter has a digest of its name and value, so that it is found among long texts without reading
 * them (`storage/hash/parameter-digest.ts`).
 */
export const foundFaster = {
  version: 3,
  name: "types beside ids, digests of parameters",
  statements: [
    `ALTER TABLE catalog_resources RENAME TO catalog_resources_2`,
    `CREATE TABLE catalog_resources (node_id INTEGER NOT NULL, resource_id INTEGER NOT NULL, type VARCHAR NOT NULL)`,
    `INSERT INTO catalog_resources SELECT c.node_id, c.resource_id, r.type
     FROM catalog_resources_2 c JOIN resources r ON r.id = c.resource_id ORDER BY c.rowid`,
    `DROP TABLE catalog_resources_2`,
    `ALTER TABLE resource_parameters RENAME TO resource_parameters_2`,
    `CREATE TABLE resource_parameters (
      resource_id INTEGER NOT NULL,
      name VARCHAR NOT NULL,
      value VARCHAR NOT NULL,
      digest BIGINT NOT NULL
    )`,
    `INSERT INTO resource_parameters
     SELECT resource_id, name, value, ('0x' || left(sha1(concat(name, chr(1), value)), 15))::BIGINT
     FROM resource_parameters_2 ORDER BY rowid`,
    `DROP TABLE resource_parameters_2`,
  ],
} as const;
