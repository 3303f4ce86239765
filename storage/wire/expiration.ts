import type { Json } from "../json.ts";
import { type Timestamp, timestampOfMillis } from "../time.ts";
import { boolean, looseTime, text } from "./kinds.ts";
import { check, type ReadContext } from "./payload.ts";
import { nullable, optional, record } from "./shape.ts";

/** `configure expiration`, version 1 (reference/commands.md §3.6). */
export interface Expiration {
  readonly certname: string;
  /** whether the node's facts expire */
  readonly expire: { readonly facts: boolean };
  /** the time of receipt where none was sent */
  readonly producer_timestamp: Timestamp;
}

const format = record<Omit<Expiration, "producer_timestamp"> & { producer_timestamp: Timestamp | null }>(
  {
    certname: text,
    expire: record({ facts: boolean }, "refused"),
    producer_timestamp: optional(nullable(looseTime)),
  },
  "refused",
);

/**
 * Checks an expiration setting; there is one version.
 * @throws WireError
 */
export function readExpiration(payload: Json, { received, problems }: ReadContext): Expiration {
  const { producer_timestamp, ...rest } = check(format, payload, problems);
  return { ...rest, producer_timestamp: producer_timestamp ?? timestampOfMillis(received.getTime()) };
}
