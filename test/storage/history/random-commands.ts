import { Random } from "#fixtures/random.ts";
import type { Json, JsonObject } from "#storage/json.ts";
import { a, type TextSubmission, time } from "#test/fixture-store.ts";
import { edge, event, fileResource, reportResource } from "#test/storage/wire/payloads.ts";

/** A command that is received when it is produced. */
export interface Timed {
  readonly at: string;
  readonly submission: TextSubmission;
}

const nodes = ["alpha", "beta", "gamma", "delta"];
const letters = ["a", "b", "c", "d"];

/** Commands of which each node has one of facts and one of a catalog: late documents come between known ones. */
export const FIRST = 2 * nodes.length;

/** Facts, catalogs and reports of a few nodes, and deactivations, in the order of their times. */
export function randomCommands(seed: number, count: number): Timed[] {
  const random = new Random(seed, "past");
  return Array.from({ length: count }, (_, minute) => {
    const at = new Date(Date.UTC(2026, 10, 20, 0, minute)).toISOString();
    return { at, submission: { ...randomCommand(random, minute, at), received: time(at) } };
  });
}

/** The same commands in the order of arrival: some facts and catalogs come after newer ones. */
export function inOrderOfArrival(seed: number, commands: readonly Timed[]): Timed[] {
  const random = new Random(seed, "arrival");
  const arrivals = commands.map((timed, index) => {
    const isDocument = index >= FIRST && timed.submission.command.startsWith("replace");
    return { timed, at: isDocument && random.chance(0.2) ? index + random.integer(1, 12) + 0.5 : index };
  });
  return arrivals.sort((one, other) => one.at - other.at).map(({ timed }) => timed);
}

function randomCommand(random: Random, minute: number, at: string): TextSubmission {
  const isFirst = minute < FIRST;
  const certname = isFirst ? (nodes[minute % nodes.length] ?? "") : random.pick(nodes);
  const base = {
    producer_timestamp: at,
    environment: random.chance(0.9) ? "production" : "testing",
    producer: random.chance(0.9) ? "puppet-1" : "puppet-2",
  };
  const kind = isFirst ? (minute < nodes.length ? 1 : 8) : random.integer(0, 19);
  if (kind === 0) return a.deactivation(certname, at);
  if (kind < 8) return a.facts(certname, { ...base, ...randomFacts(random) });
  if (kind < 15) return a.catalog(certname, { ...base, ...randomCatalog(random) });
  return a.report(certname, {
    ...base,
    transaction_uuid: `96c9b1ac-3ff5-4e85-ba80-${String(minute).padStart(12, "0")}`,
    start_time: at,
    end_time: at,
    status: random.pick(["changed", "unchanged", "failed"]),
    resources: [reportResource({ events: [event({ timestamp: at, new_value: random.pick(letters) })] })],
  });
}

function randomFacts(random: Random): JsonObject {
  const scalar = (): Json => random.pick<Json>(["x", "y", null, 1, 1.5, true, 'it\'s "quoted"', "ü", 12345678901]);
  const some = <T>(items: readonly T[]): T[] => items.filter(() => random.chance(0.5));
  const packages = some(["1.0", "1.1"]).map((version) => ["linux", version, "apt"]);
  return {
    values: {
      kernel: random.pick(["5.10", "6.1"]),
      os: { name: "Debian", release: { full: random.pick(["12.1", "12.2"]), major: "12" } },
      ...Object.fromEntries(some(letters).map((letter) => [letter, scalar()])),
      empty: random.pick<Json>([[], {}, [[]], { a: {} }, { a: [] }, 1]),
      disks: Object.fromEntries(some(letters).map((letter) => [letter, { size: scalar() }])),
      list: some([1, 2, 3, 4]).map(scalar),
      mixed: random.pick<Json>([1, [1, 2], { key: "x" }, { key: { "0": "deep", "#~": 1 } }]),
      "dotted.name": scalar(),
    },
    package_inventory: [...packages, ...some(letters).map((letter) => [letter, "1", "gem"])],
  };
}

function randomCatalog(random: Random): JsonObject {
  const present = letters.filter(() => random.chance(0.6));
  return {
    code_id: random.pick(["c1", "c1", "c2"]),
    resources: [
      { type: "Class", title: "Main", exported: false, tags: ["class"], parameters: {} },
      ...present.map((title) => fileResource({ title, parameters: { mode: random.pick(["0644", "0600"]) } })),
    ],
    edges: present.map((title) => edge({ target: { type: "File", title } })),
  };
}
