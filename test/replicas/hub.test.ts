import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { readLogs } from "#storage/queue/named-log.ts";
import { openerOf } from "#storage/queue/open-log.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { CommandMaker, NOW as CAMPAIGN_NOW } from "#test/campaign/commands.ts";
import { Connection } from "#test/campaign/http.ts";
import { settle, storedIn } from "#test/campaign/inspect.ts";
import { Ledger } from "#test/campaign/ledger.ts";
import { Load } from "#test/campaign/load.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, fieldOf, NOW } from "#test/fixture-store.ts";
import { positionOf } from "./campaign.ts";
import { isWithoutNats, Nats } from "./nats.ts";
import { isWithoutPostgres, Postgres } from "./postgres.ts";

const isLeftOut = [isWithoutNats("a hub"), isWithoutPostgres("a hub of logs of both kinds")].some(Boolean);

async function caughtUp(store: Store, position: number): Promise<void> {
  while ((store.followed?.position ?? 0) < position) await pause(10);
}

async function names(store: Store): Promise<string[]> {
  return (await fieldOf(store, "nodes", "certname")).map(String).sort();
}

/** A server that follows these logs. */
function serverOf(directory: string, ...logs: readonly string[]): Server {
  return startServer({ directory, now: CAMPAIGN_NOW, words: ["--command-log", logs.join(" "), "--gc-interval", "0"] });
}

describe.skipIf(isLeftOut)("a hub, which follows the logs of two regions", { timeout: 120_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let nats: Nats;
  let postgres: Postgres;
  const notices: string[] = [];
  beforeAll(async () => {
    folder = await temporaryFolder();
    nats = await Nats.start(folder.path);
    postgres = await Postgres.start(folder.path);
  }, 60_000);
  afterAll(async () => {
    await nats[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const open = async (name: string, ...addresses: readonly string[]): Promise<Store> => {
    const directory = join(folder.path, name);
    const commandLog = openerOf(readLogs(addresses.join(" ")), {
      server: { name, version: "0" },
      days: 3,
      settings: {},
      outbox: { folder: join(directory, "queue/outbox"), ms: 60_000 },
      onNotice: (text) => notices.push(text),
    });
    return Store.open({ directory, clock: fixedClock(NOW), commandLog });
  };

  it("stores what both have, goes on after its ends, and adds nothing", async () => {
    const addresses = [nats.address("north"), postgres.address()];
    const [north, south] = [await open("north", addresses[0] ?? ""), await open("south", addresses[1] ?? "")];
    for (const name of ["north1", "north2"]) await north.submit(a.facts(name));
    await south.submit(a.facts("south1"));
    let hub = await open("hub", ...addresses);
    await caughtUp(hub, 3);
    expect(await names(hub)).toEqual(["north1", "north2", "south1"]);
    const place = addresses.map((address) => address.replace("census@", "")).join(", ");
    await expect(hub.accept(a.facts("hub1"))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(`accepts no commands itself; use a server of the region: ${place}`),
    });
    await expect(hub.lifecycle.deleteNode("north1")).rejects.toMatchObject({ code: "unavailable" });
    // Regions delete nodes; how long data are kept is each one's own setting.
    await north.lifecycle.deleteNode("north2");
    await south.lifecycle.clean({ operations: new Set(["expire_nodes", "purge_nodes"]), purgeLimit: null });
    await caughtUp(hub, 5);
    expect(await names(hub)).toEqual(["north1", "south1"]);
    await hub.lifecycle.clean({ operations: new Set(["gc_fact_paths"]), purgeLimit: null });
    expect(hub.followed).toMatchObject({ position: 6, head: 6 });
    await hub.close();
    await Promise.all([north.submit(a.facts("north3")), south.submit(a.facts("south2"))]);
    hub = await open("hub", ...addresses);
    await caughtUp(hub, 8);
    // Nothing is read twice.
    expect(hub.followed).toMatchObject({ position: 8, head: 8 });
    expect(await names(hub)).toEqual(["north1", "north3", "south1", "south2"]);
    await hub.close();
    // It answers, and follows the other region, while one is out of reach.
    await north.close();
    await nats.kill();
    hub = await open("hub", ...addresses);
    await south.submit(a.facts("south3"));
    await caughtUp(hub, 9);
    expect(hub.followed?.problem).toContain(nats.address("north"));
    await nats.restart();
    const again = await open("north", addresses[0] ?? "");
    await again.submit(a.facts("north4"));
    await caughtUp(hub, 10);
    expect(hub.followed?.position).toBe(10);
    expect(await names(hub)).toEqual(["north1", "north3", "north4", "south1", "south2", "south3"]);
    for (const store of [hub, again, south]) await store.close();
  });

  it("refuses a log that it is given twice, or that does not exist", async () => {
    const address = nats.address("twice");
    const region = await open("twice", address);
    await expect(open("twice-hub", address, address)).rejects.toThrow("is named twice");
    await expect(open("no-hub", address, nats.address("absent"))).rejects.toThrow("the cluster has no command log");
    await region.close();
  });

  it("becomes one from a server of a region, whose data it keeps", async () => {
    const [east, west] = [nats.address("east"), nats.address("west")];
    const [first, second] = [await open("east", east), await open("west", west)];
    await first.submit(a.facts("east1"));
    await second.submit(a.facts("west1"));
    await first.close();
    const hub = await open("east", east, west);
    await caughtUp(hub, 1);
    expect(hub.followed).toMatchObject({ position: 1, head: 1 });
    expect(await names(hub)).toEqual(["east1", "west1"]);
    await hub.close();
    await second.close();
  });

  it("loses and repeats nothing if it is killed under load", async () => {
    const ledger = new Ledger();
    const random = new Random(1, "hub");
    const load = new Load({ maker: new CommandMaker(1), ledger, random, senders: 2, interval: 100 });
    const addresses = [nats.address("left"), nats.address("right")];
    const regions = addresses.map((address, index) => serverOf(join(folder.path, `region${index}`), address));
    const ending = new AbortController();
    const running = regions.map(async ({ ready }) => load.run((await ready).plain, ending.signal));
    await Promise.all(regions.map(({ ready }) => ready));
    const place = join(folder.path, "killed-hub");
    let hub = serverOf(place, ...addresses);
    for (let kill = 0; kill < 2; kill++) {
      await hub.ready;
      await pause(random.integer(300, 1000));
      await hub.kill();
      hub = serverOf(place, ...addresses);
    }
    await pause(500);
    ending.abort();
    await Promise.all(running);
    const { plain } = await hub.ready;
    const urls = await Promise.all(regions.map(async ({ ready }) => (await ready).plain));
    for (const url of urls) await settle(url);
    const heads = await Promise.all(urls.map(positionOf));
    const end = heads.reduce((sum, head) => sum + head, 0);
    while ((await positionOf(plain)) < end) await pause(20);
    expect(await positionOf(plain)).toBe(end);
    expect(ledger.judge(await storedIn(plain))).toEqual({ lost: [], doubled: [], damaged: [] });
    expect(ledger.count("acknowledged")).toBeGreaterThan(20);
    using connection = new Connection(plain);
    const refused = await connection.send("POST", "/pdb/cmd/v1?command=replace_facts&version=5&certname=a", "{}");
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining("use a server of the region: nats://"),
    ]);
    for (const server of [hub, ...regions]) await server.kill("SIGTERM");
  });
});
