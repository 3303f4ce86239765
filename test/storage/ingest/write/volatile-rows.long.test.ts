import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import type { JsonObject } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { days, fixedClock } from "#storage/time.ts";
import { a, emptyStore, NOW, rowsOf } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { inOrder } from "#test/storage/in-order.ts";
import { clean } from "#test/storage/lifecycle/maintained.ts";

/** What a part of a fact may be, from one run to the next. */
function part(random: Random): JsonObject[string] {
  const long = (): string => "x".repeat(random.pick([70, 9000, 40_000]));
  return random.pick([
    () => random.integer(0, 3),
    () => String(random.integer(0, 3)),
    () => random.chance(0.5),
    () => [],
    () => ({}),
    () => [random.integer(0, 2), random.integer(0, 2)],
    () => ({ deep: random.integer(0, 2) }),
    () => (random.chance(0.2) ? long() : "short"),
  ])();
}

/** Facts that are volatile, have volatile parts, or have none; steady ones change now and then. */
function values(random: Random, steady: JsonObject): JsonObject {
  const facts: JsonObject = { ...steady };
  for (const name of ["uptime", "load_averages", "mine", "odd \\u00e9"])
    if (random.chance(0.8)) facts[name] = part(random);
  const used = (): JsonObject => ({
    used: part(random),
    available: part(random),
    ...(random.chance(0.9) && { total: 8 }),
  });
  if (random.chance(0.9)) facts["memory"] = random.chance(0.8) ? { system: used(), swap: used() } : part(random);
  if (random.chance(0.8)) facts["mountpoints"] = { "/": used(), ...(random.chance(0.3) && { "/srv": used() }) };
  return facts;
}

async function everything(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (const entity of ["facts", "fact_contents", "factsets", "inventory", "fact_paths"]) {
    found.push(...(await rowsOf(store, entity)).map(inOrder).toSorted());
  }
  return found;
}

function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 300)}… ${hash("sha1", text)}` : text;
}

const clock = fixedClock(NOW);

const seeds = byLength({ short: [1, 2], long: [1, 2, 3, 4, 5, 6, 7, 8] });

it.each(seeds)("replacing volatile rows alone stores what replacing all rows stores (seed %i)", async (seed) => {
  const random = new Random(seed, "volatile rows");
  const recording = await emptyStore({ clock, volatileFacts: ["mine", "odd \\u00e9"] });
  const plain = await emptyStore({ clock, retention: { historyTtl: 0n } });
  const steady = { kernel: "6", list: [1, [], {}], os: { family: "Debian" } };
  for (let run = 0; run < 40; run++) {
    if (random.chance(0.1)) steady.kernel = String(random.integer(0, 9));
    const producer_timestamp = new Date(Number((NOW - days(1)) / 1000n) + run * 60_000).toISOString();
    const sent = a.facts(random.pick(["web", "db"]), { producer_timestamp, values: values(random, steady) });
    for (const store of [recording, plain]) {
      await store.submit(sent);
      if (run % 20 === 19) await clean(store, "gc_fact_paths");
    }
    const [found, expected] = [await everything(recording), await everything(plain)];
    // Not the rows themselves, of which some are long.
    expect(found.map(shortened)).toEqual(expected.map(shortened));
  }
  for (const store of [recording, plain]) await store.close();
});
