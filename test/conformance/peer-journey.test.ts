import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importArchive, totalOf } from "#cli/import-archive.ts";
import { exportStore } from "#cli/export/from-store.ts";
import { Peer } from "#test/bench/peer/peer.ts";
import { type Served, serve } from "#test/app/fixture-service.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a } from "#test/fixture-store.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { Store } from "#storage/store.ts";
import { differences, EVERYTHING } from "./everything.ts";
import { oracleFolder } from "./options.ts";
import { type Client, openClient } from "./request.ts";

/** A PuppetDB with a population that may be emptied: at the end it contains what was imported again. */
const url = process.env["CENSUS_PEER"] ?? "";

const PATH = "/pdb/admin/v1/archive";

/** How long PuppetDB may take to store an archive, ms. */
const PATIENCE = 1_800_000;

/** Times of receipt are the server's own; a catalog of PuppetDB loses null files and lines when it is exported. */
const masks = { "/catalogs": ["hash"], "/factsets": ["hash"], "/reports": ["resources"] };

/** What PuppetDB's own exports do not have, though it takes it in (`reference/archive.md §2`). */
const leftOut: ReadonlySet<string> = new Set(["/packages", "/package-inventory"]);

/** Facts of one more node, with packages. */
function packaged(): Submission {
  const now = new Date().toISOString();
  const packages = [
    ["openssl", "3.0.17", "apt"],
    ["puppet-agent", "8.10.0", "apt"],
  ];
  return a.facts("packaged.example", { producer_timestamp: now, package_inventory: packages });
}

async function fetched(from: string): Promise<Buffer> {
  const answer = await fetch(from + PATH);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function queueDepth(): Promise<number> {
  const answer = await fetch(`${url}/status/v1/services/puppetdb-status`);
  const { status } = (await answer.json()) as { status: { queue_depth: number } };
  return status.queue_depth;
}

/** Everything PuppetDB has been given is stored. */
async function settled(): Promise<void> {
  await expect.poll(queueDepth, { timeout: PATIENCE, interval: 1000 }).toBe(0);
}

describe.skipIf(url === "")("from a PuppetDB to Census and back (CENSUS_PEER names one that may be emptied)", () => {
  let store: Store;
  let served: Served;
  let there: Client;
  let here: Client;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const path = join(folder.path, "theirs.tgz");
    await writeFile(path, await fetched(url));
    store = await Store.open();
    // An export of a PuppetDB with a deactivated node is empty, and would prove nothing.
    if (totalOf(await importArchive(store, path)) === 0) throw new Error(`${url} has exported nothing`);
    served = await serve(store);
    [there, here] = [openClient(url), openClient(served.url)];
  }, PATIENCE);

  afterAll(async () => {
    there.close();
    here.close();
    await served.close();
    await folder[Symbol.asyncDispose]();
  });

  it.each(EVERYTHING.filter(({ path }) => !leftOut.has(path)))(
    "Census returns the same as PuppetDB: $path",
    async (request) => {
      expect(await differences(there, here, [request], masks)).toEqual([]);
    },
  );

  it(
    "PuppetDB imports an export of Census",
    async () => {
      const peer = await Peer.find(url, oracleFolder(process.env));
      const back = join(folder.path, "ours.tgz");
      if (peer === undefined) throw new Error(`no PuppetDB with its tools at ${url}`);
      const order = {
        path: back,
        format: "tar.gz",
        directory: "puppetdb-bak",
        profile: undefined,
        salt: undefined,
        withHistory: false,
      } as const;
      // The packages that were lost on the way here are made up for.
      await store.submit(packaged());
      await exportStore(store, order, new AbortController().signal);
      await peer.empty();
      const { sendArchive } = await import("#cli/import/to-server.ts");
      expect(await sendArchive({ urls: [new URL(url)] }, back)).toBe(url);
      await settled();
    },
    PATIENCE,
  );

  it.each([...EVERYTHING])("PuppetDB returns the same as Census: $path", async (request) => {
    expect(await differences(here, there, [request], masks)).toEqual([]);
  });
});
