import { factsetHash, type HashedPart, hashedFact, hashedPackage, type Package } from "../hash/hashes.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";
import type { Timestamp } from "../time.ts";
import { cleanJson, cleanText, isTooDeep } from "./clean.ts";
import { looseTime, rawDocument, text } from "./kinds.ts";
import { check, type ReadContext } from "./payload.ts";
import type { Problems } from "./problems.ts";
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

/** A `timestamp` is accepted and means nothing: the receipt time takes its place. */
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

/** The steps that make old facts current ones (reference/commands.md §3.2). */
export const factsUpgrades: Upgrades = {
  2: onObject((facts, received) => ({ ...facts, "producer-timestamp": received.toISOString() })),
  3: onObject((facts) => renamed(facts, { "producer-timestamp": "producer_timestamp", name: "certname" })),
  4: onObject((facts) => ({ ...facts, producer: null })),
};

/**
 * Checks facts of any processed version and makes them current ones. Facts that `keepFact` does not want by their
 * top-level name are left out before anything is hashed.
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
  const values = keepFact === undefined ? facts.values : kept(facts.values, keepFact);
  const hash = factsetHash({
    ...facts,
    facts: Object.entries(values).map(([name, value]) => hashedFact(name, value)),
    packages: package_inventory.map(hashedPackage),
  });
  return { ...facts, values: cleanJson(values) as JsonObject, package_inventory, hash };
}

/** What a fact set as a whole takes of a fact. */
export interface FactPart {
  readonly name: string;
  readonly hashed: HashedPart;
}

/** What it takes of a package. */
export interface PackagePart {
  readonly hashed: HashedPart;
}

/** A fact set whose facts and packages have been read one by one. */
export interface FactsOf<F extends FactPart, P extends PackagePart> extends Omit<
  Facts,
  "values" | "package_inventory"
> {
  readonly facts: readonly F[];
  /** without repetitions */
  readonly packages: readonly P[];
}

/** Names that stand elsewhere in an object than they were written. */
const INDEX = /^\d+$/;

/**
 * Reads a fact of a current fact set by itself.
 * @returns undefined where that cannot be done, or something is wrong with it
 */
export function readFact(name: string, value: Json): (FactPart & { readonly value: Json }) | undefined {
  if (INDEX.test(name) || cleanText(name) !== name || isTooDeep([value])) return undefined;
  return { name, value: cleanJson(value), hashed: hashedFact(name, value) };
}

/** The same of a package. */
export function readPackage(sent: Json, problems: Problems): (PackagePart & { readonly tuple: Package }) | undefined {
  const tuple = packageTuple.read(sent, problems);
  return tuple === undefined || problems.isAny ? undefined : { tuple, hashed: hashedPackage(tuple) };
}

/**
 * Checks a current fact set of which facts and packages have been read one by one.
 * @param head the payload with nothing in their places
 * @param parts no two facts may have the same name
 * @throws WireError
 */
export function factsOf<F extends FactPart, P extends PackagePart>(
  head: Json,
  parts: { readonly facts: readonly F[]; readonly packages: readonly P[] },
  problems: Problems,
): FactsOf<F, P> {
  const { timestamp: _, values: __, package_inventory: ___, ...read } = check(format, head, problems);
  const packages = distinct(parts.packages, ({ hashed }) => hashed.order);
  const hash = factsetHash({
    ...read,
    facts: parts.facts.map(({ hashed }) => hashed),
    packages: packages.map(({ hashed }) => hashed),
  });
  return { ...read, facts: parts.facts, packages, hash };
}

function kept(values: JsonObject, keepFact: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => keepFact(name)));
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
