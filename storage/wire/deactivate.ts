import { type Json, parseJson } from "../json.ts";
import { type Timestamp, timestampOfMillis } from "../time.ts";
import { looseTime, text } from "./kinds.ts";
import { check, type ReadContext } from "./payload.ts";
import { nullable, optional, record } from "./shape.ts";
import { upgrade, type Upgrades } from "./upgrade.ts";

/** `deactivate node`, version 3 (reference/commands.md §3.4). */
export interface Deactivation {
  readonly certname: string;
  /** the time of receipt where none was sent */
  readonly producer_timestamp: Timestamp;
}

const format = record<{ certname: string; producer_timestamp: Timestamp | null }>(
  { certname: text, producer_timestamp: optional(nullable(looseTime)) },
  "refused",
);

/** Version 2 was the bare certname, version 1 the JSON text of it. */
const upgrades: Upgrades = {
  1: (payload) => (typeof payload === "string" ? jsonOr(payload) : payload),
  2: (payload) => (typeof payload === "string" ? { certname: payload } : payload),
};

function jsonOr(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/**
 * Checks a deactivation of any supported version and upgrades it to the current one.
 * @throws WireError
 */
export function readDeactivation(payload: Json, version: number, { received, problems }: ReadContext): Deactivation {
  const { certname, producer_timestamp } = check(format, upgrade(payload, version, upgrades, received), problems);
  return { certname, producer_timestamp: producer_timestamp ?? timestampOfMillis(received.getTime()) };
}
