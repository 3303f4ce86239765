import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importArchive } from "#cli/import-archive.ts";
import { Random } from "#fixtures/random.ts";
import { exportMembers } from "#storage/archive/export/members.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";
import { keepEverything } from "#storage/lifecycle/retention.ts";
import type { Store } from "#storage/store.ts";
import { fixedClock, type Timestamp } from "#storage/time.ts";
import { emptyStore, time } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { answers } from "./answers.ts";
import { queriedTexts } from "./queried.ts";
import { FIRST, inOrderOfArrival, randomCommands } from "./random-commands.ts";
import { TimedStore } from "./timed-store.ts";

const COUNT = 120;
const END = time("2026-11-20T12:00:00Z");

const folder = mkdtempSync(join(tmpdir(), "census-archived-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function exported(store: Store, name: string): Promise<string> {
  const path = join(folder, name);
  const members = exportMembers(store, { directory: "svc-bak", withHistory: true });
  await writeArchiveFile(path, members, { format: "tar.gz", mtime: new Date(0) });
  return path;
}

/** What an archive does not have, or changes: docs/archives.md. */
const notExported = {
  factsets: ["hash"],
  catalogs: ["hash"],
  reports: ["receive_time"],
  events: ["report_receive_time"],
  nodes: ["deactivated", "expired"],
};

/** All changes of a store, in no particular order. */
async function changes(store: Store): Promise<string[]> {
  const kinds = ["fact", "resource", "package", "catalog"];
  const queries = kinds.map((kind) => `${kind}_changes { node_state = "any" and what != "state" }`);
  const found: string[] = [];
  for (const pql of queries) found.push(...(await queriedTexts(store, pql)));
  return found.sort();
}

describe.each(byLength({ short: [1], long: [1, 2, 3, 4] }))("an archive with history (seed %i)", (seed) => {
  const commands = randomCommands(seed, COUNT);
  const random = new Random(seed, "moments of archives");
  const moments = Array.from({ length: 4 }, (): Timestamp =>
    time(commands[random.integer(FIRST, COUNT - 1)]?.at ?? ""),
  );
  let original: TimedStore;
  let opened: Store;
  let imported: Store;

  beforeAll(async () => {
    original = await TimedStore.open();
    await original.goOn(inOrderOfArrival(seed, commands), END);
    const path = await exported(original.store, `${seed}.tgz`);
    opened = await emptyStore({ retention: keepEverything, clock: fixedClock(END) });
    imported = await emptyStore({ clock: fixedClock(END) });
    await importArchive(opened, path);
    await importArchive(imported, path);
  });

  afterAll(async () => {
    await Promise.all([original.store, opened, imported].map((store) => store.close()));
  });

  it("has the same changes when it is opened, and in a store that it is imported into", async () => {
    const expected = await changes(original.store);
    expect(expected.length).toBeGreaterThan(300);
    expect(await changes(opened)).toStrictEqual(expected);
    expect(await changes(imported)).toStrictEqual(expected);
  });

  it.each(moments)("has the same answers as of %s", async (moment) => {
    const expected = await answers(await original.store.queriesAt(moment), notExported);
    for (const store of [opened, imported]) {
      const found = await answers(await store.queriesAt(moment), notExported);
      for (const [pql, rows] of Object.entries(expected))
        expect.soft({ pql, rows: found[pql] }).toStrictEqual({ pql, rows });
    }
  });

  it("is exported again as it was", async () => {
    const again = await emptyStore({ retention: keepEverything, clock: fixedClock(END) });
    await importArchive(again, await exported(imported, `${seed}-again.tgz`));
    expect(await changes(again)).toStrictEqual(await changes(original.store));
    await again.close();
  });
});
