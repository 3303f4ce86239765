/** SQL of the first 48 bits of a digest in base64url as a number (`storage/ingest/write/digest-ids.ts`). */
const START = "('0x' || hex(from_base64(replace(replace(left(digest, 8), '-', '+'), '_', '/'))))::BIGINT";

/**
 * The first 48 bits of digests as numbers. Where a large fleet has too many resources and edges for their digests to be kept in
 * memory, each batch with catalogs looks some up. To find them among numbers takes an eighth of the time: the engine decompresses
 * all texts that it compares.
 */
export const digestStarts = {
  version: 12,
  name: "starts of digests",
  statements: ["resources", "edges"].flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN digest_start BIGINT`,
    `UPDATE ${table} SET digest_start = ${START} WHERE id > 0`,
  ]),
} as const;
