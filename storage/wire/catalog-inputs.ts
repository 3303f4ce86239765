import { type CatalogInput, catalogInputsHash, distinctInputs } from "../hash/hashes.ts";
import type { Json } from "../json.ts";
import { type Timestamp, timestampOfMillis } from "../time.ts";
import { looseTime, text, uuid } from "./kinds.ts";
import { check, type ReadContext } from "./payload.ts";
import { listOrNull, nullable, optional, record, tuple } from "./shape.ts";

/** `replace catalog inputs`, version 1 (reference/commands.md §3.5). */
export interface CatalogInputs {
  readonly certname: string;
  /** the time of receipt where none was sent */
  readonly producer_timestamp: Timestamp;
  readonly catalog_uuid: string;
  /** distinct, sorted by type and name; if empty, the command has no effect and does not clear the stored ones */
  readonly inputs: readonly CatalogInput[];
  /** reference/hashing.md §8 */
  readonly hash: string;
}

const format = record<Omit<CatalogInputs, "hash" | "producer_timestamp"> & { producer_timestamp: Timestamp | null }>(
  {
    certname: text,
    producer_timestamp: optional(nullable(looseTime)),
    catalog_uuid: uuid,
    inputs: optional(listOrNull(tuple(text, ["type", "name"]))),
  },
  "dropped",
);

/**
 * Checks catalog inputs; there is one version.
 * @throws WireError
 */
export function readCatalogInputs(payload: Json, { received, problems }: ReadContext): CatalogInputs {
  const { producer_timestamp, ...rest } = check(format, payload, problems);
  return {
    ...rest,
    producer_timestamp: producer_timestamp ?? timestampOfMillis(received.getTime()),
    inputs: distinctInputs(rest.inputs),
    hash: catalogInputsHash(rest.certname, rest.inputs),
  };
}
