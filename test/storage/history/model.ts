import { hash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import { VolatilePaths } from "#storage/history/volatile-facts.ts";
import { partsOfFact } from "#storage/wire/fact-leaves.ts";

/** A change as the entities return it, without its transaction. */
export interface Change {
  readonly certname: string;
  readonly what: string;
  readonly change: "added" | "removed" | "changed";
  readonly before: Json;
  readonly after: Json;
  readonly from: string;
  until: string | null;
}

export type Kind = "fact_changes" | "resource_changes" | "package_changes" | "catalog_changes";

/** A document as a client sends it. */
export interface Document {
  readonly kind: "facts" | "catalog";
  readonly payload: JsonObject & { readonly certname: string; readonly producer_timestamp: string };
}

/** The content of a document by kind of change: each thing's value by its name. */
type Content = Readonly<Record<Kind, ReadonlyMap<string, Json>>>;

const volatile = new VolatilePaths();

/**
 * Keeps every full document in the order of producer times, and compares each with the one before it: what the history of a
 * store must be, in whichever order documents arrive.
 */
export class HistoryModel {
  readonly #documents = new Map<string, Document["payload"][]>();

  add({ kind, payload }: Document): void {
    const key = `${kind} ${payload.certname}`;
    const earlier = this.#documents.get(key) ?? [];
    const after = earlier.findIndex(({ producer_timestamp: at }) => at > payload.producer_timestamp);
    this.#documents.set(key, earlier.toSpliced(after === -1 ? earlier.length : after, 0, payload));
  }

  /** All changes of a kind, in no particular order. */
  changes(kind: Kind): Change[] {
    return [...this.#documents].flatMap(([key, documents]) => {
      const contentOf = key.startsWith("facts") ? contentOfFacts : contentOfCatalog;
      const found: Change[] = [];
      for (const [at, document] of documents.entries()) {
        const before = at === 0 ? undefined : contentOf(documents[at - 1] ?? document)[kind];
        compare(found, document, before, contentOf(document)[kind]);
      }
      return found;
    });
  }
}

/** Adds what has changed; of a first document only that it came. */
function compare(
  found: Change[],
  { certname, producer_timestamp: from }: Document["payload"],
  before: ReadonlyMap<string, Json> | undefined,
  after: ReadonlyMap<string, Json>,
): void {
  const names = new Set([...(before?.keys() ?? []), ...after.keys()]);
  for (const what of names) {
    if (before === undefined && !arrivals.has(what)) continue;
    const [old, now] = [before?.get(what), after.get(what)];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const last = found.findLast((other) => other.what === what);
    if (last !== undefined) last.until = from;
    const change = old === undefined ? "added" : now === undefined ? "removed" : "changed";
    found.push({ certname, what, change, before: shown(old), after: shown(now), from, until: null });
  }
}

/** A value as it is recorded: a long one by its digest. */
function shown(value: Json = null): Json {
  const text = JSON.stringify(value);
  return typeof value === "string" && text.length > 4096 ? { bytes: text.length, sha1: hash("sha1", text) } : value;
}

/** What is recorded of the first document. The tests replace hashes by the content that they cover. */
const arrivals: ReadonlySet<string> = new Set(["facts", "catalog"]);

const none: ReadonlyMap<string, Json> = new Map();

function contentOfFacts({ environment, producer, values, package_inventory: packages }: JsonObject): Content {
  const facts = isObject(values ?? null) ? (values as JsonObject) : {};
  const parts = Object.entries(facts).map(([name, value]) => partsOfFact(name, value));
  const present: readonly (readonly [path: readonly (string | number)[], value: Json])[] = [
    ...parts.flatMap(({ leaves }) => leaves.map(({ path, value }) => [JSON.parse(path) as string[], value] as const)),
    ...parts.flatMap(({ empty }) =>
      empty.map(([path, text]) => [JSON.parse(path) as string[], JSON.parse(text) as Json] as const),
    ),
  ];
  const steady = present.filter(([path]) => !volatile.has(JSON.stringify(path)));
  const versions = Map.groupBy(
    (packages ?? []) as [string, string, string][],
    ([name, , provider]) => `${name} ${provider}`,
  );
  return {
    fact_changes: new Map(steady.map(([path, value]) => [path.join("."), value])),
    package_changes: new Map(
      [...versions].map(([name, tuples]) => [
        name,
        tuples
          .map(([, version]) => version)
          .sort()
          .join(", "),
      ]),
    ),
    resource_changes: none,
    // Of later fact sets the hash is not recorded.
    catalog_changes: new Map<string, Json>([
      ["facts", "present"],
      ...withoutNulls({ facts_environment: environment, facts_producer: producer }),
    ]),
  };
}

function withoutNulls(values: Readonly<Record<string, Json | undefined>>): [string, Json][] {
  return Object.entries(values).flatMap(([name, value]): [string, Json][] =>
    value === undefined || value === null ? [] : [[name, value]],
  );
}

/** A resource or a reference to one. */
type Named = JsonObject & { readonly type: string; readonly title: string };

function nameOf({ type, title }: Named): string {
  return `${type}[${title}]`;
}

function contentOfCatalog({ environment, producer, code_id, resources, edges }: JsonObject): Content {
  const [rows, pairs] = [resources as Named[], edges as { source: Named; target: Named; relationship: string }[]];
  const edgeNames = pairs.map(({ source, target, relationship }) =>
    [nameOf(source), relationship, nameOf(target)].join(" "),
  );
  return {
    fact_changes: none,
    package_changes: none,
    resource_changes: new Map(rows.map((row) => [nameOf(row), row["parameters"] ?? null])),
    catalog_changes: new Map<string, Json>([
      ["catalog", JSON.stringify([rows, pairs])],
      ...withoutNulls({ environment, producer, code_id }),
      ...edgeNames.map((edge): [string, Json] => [edge, "present"]),
    ]),
  };
}
