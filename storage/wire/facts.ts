import { factsetHash, hashedFact, hashedPackage, type Package } from "../hash/hashes.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";
import type { Timestamp } from "../time.ts";
import { cleanJson } from "./clean.ts";
import { looseTime, rawDocument, text } from "./kinds.ts";
import { check, type ReadContext } from "./payload.ts";
import { type Kind, listOrNull, nullable, optional, record, tuple } from "./shape.ts";
import { onObject, renamed, upgrade, type Upgrades } from "./upgrade.ts";

/** `replace facts`, version 5 (reference/commands.md §3.2). */
export interface Facts {
  readonly certname: string;
  readonly environment: string | null;
  readonly producer_timestamp: Timestamp;
  readonly producer: string | null;
  readonly values: JsonObject;
  /** without repetitions, in the order sent; empty when none were sent */
  readonly package_inventory: readonly Package[];
  /** reference/hashing.md §5b */
  readonly hash: string;
}

const values: Kind<JsonObject> = {
  read(value, problems) {
    return isObject(value) ? (rawDocument.read(value, problems) as JsonObject) : problems.mismatch("an object", value);
  },
};

const packageTuple = tuple(text, ["name", "version", "provider"]);

/** A `timestamp` is accepted and ignored: the time of receipt is used. */
const format = record<Omit<Facts, "hash"> & { timestamp: unknown }>(
  {
    certname: text,
    environment: nullable(text),
    producer_timestamp: looseTime,
    producer: nullable(text),
    values,
    package_inventory: optional(listOrNull(packageTuple)),
    timestamp: optional<unknown>({ read: () => undefined }),
  },
  "refused",
);

/** Upgrades of old versions (reference/commands.md §3.2). */
export const factsUpgrades: Upgrades = {
  2: onObject((facts, received) => ({ ...facts, "producer-timestamp": received.toISOString() })),
  3: onObject((facts) => renamed(facts, { "producer-timestamp": "producer_timestamp", name: "certname" })),
  4: onObject((facts) => ({ ...facts, producer: null })),
};

/**
 * Checks facts of any supported version and upgrades them to the current one. Facts whose top-level name `keepFact`
 * rejects are removed before anything is hashed.
 * @throws WireError
 */
export function readFacts(
  payload: Json,
  version: number,
  { received, problems }: ReadContext,
  keepFact?: (name: string) => boolean,
): Facts {
  const { timestamp: _, ...facts } = check(format, upgrade(payload, version, factsUpgrades, received), problems);
  const package_inventory = distinct(facts.package_inventory, (tuple) => tuple.join("\0"));
  const values = keepFact === undefined ? facts.values : filteredFacts(facts.values, keepFact);
  const hash = factsetHash({
    ...facts,
    facts: Object.entries(values).map(([name, value]) => hashedFact(name, value)),
    packages: package_inventory.map(hashedPackage),
  });
  return { ...facts, values: cleanJson(values) as JsonObject, package_inventory, hash };
}

function filteredFacts(values: JsonObject, keepFact: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => keepFact(name)));
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
