import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importArchive } from "#cli/import-archive.ts";
import { type PopulationOptions, populationCommands } from "#fixtures/population.ts";
import { exportMembers } from "#storage/archive/export/members.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { stringifyJson } from "#storage/json.ts";
import { Store } from "#storage/store.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import { type Served, serve } from "#test/app/fixture-service.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { isLeftOut } from "#test/left-out.ts";
import { differences, EVERYTHING } from "./everything.ts";
import { oracleFolder } from "./options.ts";
import { openClient } from "./request.ts";

const golden = join(oracleFolder(process.env), "golden", "archive.tgz");

const NOW = "2026-11-20T12:00:00Z";
const received = parseTimestamp(NOW) ?? 0n;

const population: PopulationOptions = { nodes: 30, seed: 3, reportsPerNode: 3, baseTime: NOW, includeOddities: true };

async function* rareValues(): AsyncGenerator<Submission> {
  for (const { command, version, certname, payload } of populationCommands(population)) {
    // An export knows nothing of deactivations.
    if (command !== "deactivate node") yield { command, version, certname, payload: stringifyJson(payload), received };
  }
}

interface Site {
  readonly name: string;
  readonly fill: (store: Store) => Promise<unknown>;
  /** Hashes are over what was sent; these are of what was stored. */
  readonly masks: Readonly<Record<string, readonly string[]>>;
}

const goldenExport: Site = {
  name: "an export of PuppetDB's",
  fill: (store) => importArchive(store, golden),
  masks: {},
};

const isWithoutGolden = isLeftOut(
  goldenExport.name,
  existsSync(golden) ? undefined : `no ${golden}; CENSUS_ORACLE names another folder`,
);

const sites: readonly Site[] = [
  ...(isWithoutGolden ? [] : [goldenExport]),
  {
    name: "a population with packages and rare values",
    fill: (store) => store.importAll(rareValues()),
    masks: { "/factsets": ["hash"], "/catalogs": ["hash"] },
  },
];

/** The resources of reports as they were sent, which the list of reports leaves out unless they are requested. */
const documents = {
  name: "/reports, every resource",
  path: "/reports",
  query: ["extract", ["hash", "resources"], ["and", ["=", "node_state", "any"], ["=", "type", "any"]]],
};

async function openSite(fill: Site["fill"]): Promise<{ store: Store; served: Served }> {
  const store = await Store.open({ clock: fixedClock(received) });
  await fill(store);
  return { store, served: await serve(store) };
}

describe.each(sites)("$name, exported from one store and imported into another", ({ fill, masks }) => {
  let served: readonly Served[] = [];

  beforeAll(async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "export.tgz");
    const first = await openSite(fill);
    const members = exportMembers(first.store, { directory: "svc-bak" });
    await writeArchiveFile(path, members, { format: "tar.gz", mtime: new Date(NOW) });
    const second = await openSite((store) => importArchive(store, path));
    served = [first.served, second.served];
  });

  afterAll(async () => {
    for (const service of served) await service.close();
  });

  it.each([...EVERYTHING.map((request) => ({ name: request.path, ...request })), documents])(
    "returns the same responses: $name",
    async (request) => {
      const clients = served.map(({ url }) => openClient(url));
      const [one, other] = clients;
      if (one === undefined || other === undefined) throw new Error("nothing is served");
      expect(await differences(one, other, [request], masks)).toEqual([]);
      for (const client of clients) client.close();
    },
  );
});
