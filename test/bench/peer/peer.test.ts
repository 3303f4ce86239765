import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { Peer } from "./peer.ts";

const server = createServer((_request, response) => response.end("{}"));
let url: string;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Tools of a PuppetDB that listens there: this process represents its service and its database. */
async function toolsOf(folder: string, itsUrl: string): Promise<void> {
  const database = join(folder, "pg");
  await mkdir(join(folder, "var", "stockpile"), { recursive: true });
  await mkdir(database);
  await writeFile(join(folder, "load.mjs"), "");
  await writeFile(join(folder, "puppetdb.pid"), `${process.pid}\n`);
  await writeFile(join(database, "postmaster.pid"), `${process.pid}\n/other/lines\n`);
  await writeFile(join(folder, "var", "stockpile", "command"), "12345");
  const functions = 'pg_psql() { [ "$4" = "select pg_database_size(\'puppetdb\')" ] && echo 1000; }';
  await writeFile(
    join(folder, "env.sh"),
    `ORACLE_URL=${itsUrl}\nORACLE_HOME=${folder}\nPGDATA=${database}\n${functions}\n`,
  );
}

describe.runIf(existsSync("/proc/self"))("a PuppetDB", () => {
  it("that its tools have started has known processes and disk usage", async () => {
    await using folder = await temporaryFolder();
    await toolsOf(folder.path, url);
    const peer = await Peer.find(url, folder.path);
    expect((await peer?.processes())?.filter((pid) => pid === process.pid)).toHaveLength(2);
    expect(await peer?.diskSize()).toBe(1005);
  });

  it("that was started otherwise has neither, is not restarted and not emptied", async () => {
    await using folder = await temporaryFolder();
    await toolsOf(folder.path, "http://127.0.0.1:1");
    const peer = await Peer.find(url, folder.path);
    expect(await peer?.processes()).toBeUndefined();
    expect(await peer?.diskSize()).toBeUndefined();
    expect(await peer?.restart()).toBeUndefined();
    await expect(peer?.empty()).rejects.toThrow(/can only empty what up\.sh/);
  });
});
