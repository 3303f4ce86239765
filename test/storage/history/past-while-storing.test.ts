import { expect, it } from "vitest";
import type { Queries } from "#storage/query/queries.ts";
import { time } from "#test/fixture-store.ts";
import { queriedTexts } from "./queried.ts";
import { FIRST, randomCommands } from "./random-commands.ts";
import { TimedStore } from "./timed-store.ts";

const COUNT = 80;

/** Each reads another table, or several, of those whose changes are undone. */
const queries = [
  "facts[certname, name, value] {}",
  "fact_contents[certname, path, value] {}",
  "fact_paths {}",
  "resources[certname, resource, parameters] {}",
  "edges[certname, source_title, target_title] {}",
  "package_inventory[certname, package_name, version] {}",
  "packages {}",
  "facts[count()] {}",
  "fact_contents[count()] {}",
  "resources[count()] {}",
  "edges[count()] {}",
  "package_inventory[count()] {}",
  'nodes[certname, catalog_environment] { facts { name = "kernel" and value = "6.1" } }',
];

async function answersOf(from: Queries): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const pql of queries) found[pql] = (await queriedTexts({ queries: from }, pql)).sort();
  return found;
}

it("answers as of a time stay the same while documents of later times are stored", async () => {
  const commands = randomCommands(3, COUNT);
  const moment = time(commands[2 * FIRST]?.at ?? "");
  const [present, then] = [await TimedStore.open(), await TimedStore.open()];
  await Promise.all([present.goOn(commands, moment), then.goOn(commands, moment)]);
  await then.store.lifecycle.clean({ operations: new Set(["other"]), purgeLimit: null });
  const expected = await answersOf(then.store.queries);
  const state = { isStoring: true };
  const storing = present.goOn(commands, time("2026-11-20T12:00:00Z")).finally(() => (state.isStoring = false));
  let rounds = 0;
  for (; state.isStoring; rounds++) {
    expect(await answersOf(await present.store.queriesAt(moment))).toStrictEqual(expected);
  }
  await storing;
  expect(rounds).toBeGreaterThan(1);
  // From the second time on, tables are computed.
  for (let time = 1; time <= 3; time++) {
    expect(await answersOf(await present.store.queriesAt(moment))).toStrictEqual(expected);
  }
  await Promise.all([present.store.close(), then.store.close()]);
});
