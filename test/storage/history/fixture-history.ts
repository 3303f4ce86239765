import { Random } from "#fixtures/random.ts";
import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { a, rowsOf, type TextSubmission, time } from "#test/fixture-store.ts";
import type { Change, Document, Kind } from "./model.ts";

export const kinds: readonly Kind[] = ["fact_changes", "resource_changes", "package_changes", "catalog_changes"];

const nodes = ["alpha", "beta", "gamma"];
/** Of longer values than 4 kB digests are recorded. */
const LONG = "long".repeat(2000);

const values: readonly Json[] = ["x", "y", 1, 1.5, true, null, [], {}, { a: [] }, 'it\'s "quoted"', LONG];

const titles = ["/a", "/b", "/c", "/d"];

/** Documents of a few nodes in nearly the order of their times: some come late, some twice. */
export function randomDocuments(seed: number, count: number): Document[] {
  const random = new Random(seed, "history");
  const documents: Document[] = [];
  for (let at = 0; at < count; at++) {
    const again = documents.length > 0 && random.chance(0.1) ? random.pick(documents) : undefined;
    const late = random.chance(0.15) ? random.integer(0, 12) : 0;
    documents.push(again ?? randomDocument(random, at - late, at));
  }
  return documents;
}

function randomDocument(random: Random, minute: number, number: number): Document {
  const certname = random.pick(nodes);
  const base = {
    certname,
    producer_timestamp: new Date(Date.UTC(2026, 10, 20, 0, minute, number % 60)).toISOString(),
    environment: random.chance(0.9) ? "production" : "testing",
    producer: random.chance(0.9) ? "puppet-1" : "puppet-2",
  };
  return random.chance(0.5)
    ? { kind: "facts", payload: { ...base, ...randomFacts(random) } }
    : { kind: "catalog", payload: { ...base, ...randomCatalog(random) } };
}

function randomFacts(random: Random): JsonObject {
  const value = (): Json => random.pick<Json>(values);
  const versions = ["1.0", "1.1", "2.0"].filter(() => random.chance(0.4));
  return {
    values: {
      kernel: random.pick(["5.10", "6.1"]),
      uptime_seconds: random.integer(1, 1e6),
      memory: { system: { total: random.pick(["8 GiB", "16 GiB"]), available: random.integer(1, 1e6) } },
      ...(random.chance(0.7) ? { custom: { list: Array.from({ length: random.integer(0, 3) }, value) } } : {}),
      "dotted.name": value(),
    },
    package_inventory: versions.map((version) => ["linux", version, "apt"]),
  };
}

function randomCatalog(random: Random): JsonObject {
  const present = titles.filter(() => random.chance(0.7));
  const file = (title: string): JsonObject => ({
    type: "File",
    title,
    exported: false,
    tags: ["file"],
    file: "/site.pp",
    line: 1,
    parameters: { mode: random.pick(["0644", "0600"]) },
  });
  return {
    version: String(random.integer(1, 1e6)),
    code_id: random.pick(["c1", "c1", "c1", "c2"]),
    resources: [
      { type: "Class", title: "Main", exported: false, tags: ["class"], parameters: {} },
      ...present.map(file),
    ],
    edges: present.map((title) => ({
      source: { type: "Class", title: "Main" },
      target: { type: "File", title },
      relationship: "contains",
    })),
  };
}

export function submissionOf({ kind, payload }: Document): TextSubmission {
  return kind === "facts" ? a.facts(payload.certname, payload) : a.catalog(payload.certname, payload);
}

/** The same as a service accepts it: a newer one supersedes it while it waits. */
export function supersedable(document: Document): TextSubmission {
  return { ...submissionOf(document), producerTimestamp: time(document.payload.producer_timestamp) };
}

/** The recorded changes in the form of the model's. */
export async function recorded(store: Store, kind: Kind): Promise<Change[]> {
  return (await rowsOf(store, kind)).map((row) => {
    const [before, after] = [row["before"] ?? null, row["after"] ?? null];
    const { certname, change, from, until } = row;
    const known = { certname, change, from, until };
    return { ...known, what: whatOf(kind, row), ...comparable(kind, row, before, after) } as unknown as Change;
  });
}

function whatOf(kind: Kind, { what, provider, before, after }: JsonObject): Json {
  if (kind === "package_changes") return [what, provider].map(textOf).join(" ");
  if (what !== "edge") return what ?? null;
  const { source, relationship, target } = (before ?? after) as JsonObject;
  return [source, relationship, target].map(textOf).join(" ");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function comparable(kind: Kind, { what }: JsonObject, before: Json, after: Json): { before: Json; after: Json } {
  const shown = (value: Json): Json => {
    if (value === null) return null;
    if (kind === "resource_changes") return isObject(value) ? (value["parameters"] ?? null) : value;
    return what === "edge" || what === "facts" || what === "catalog" ? "present" : value;
  };
  return { before: shown(before), after: shown(after) };
}

/** Changes as sorted texts, for a comparison. Hashes of catalogs are not compared, only whether they changed. */
export function textsOf(changes: readonly Change[]): string[] {
  return changes
    .map((change) => {
      const isHash = change.what === "catalog";
      const shown = (value: Json): Json => (isHash && value !== null ? "present" : value);
      const { certname, what, change: how, from, until } = change;
      return JSON.stringify({
        certname,
        what,
        how,
        before: shown(change.before),
        after: shown(change.after),
        from,
        until,
      });
    })
    .sort();
}
