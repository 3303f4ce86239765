import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { a } from "#test/fixture-store.ts";
import { census, SAMPLE, startServer, workFolder } from "../census.ts";
import { startOrigin } from "./origin.ts";

const folder = workFolder();

interface Listed {
  readonly archive: string;
  readonly bytes: number;
}

it(
  "opens a server as a copy that the cache lists, keeps while it is shown, and trims later",
  { timeout: 180_000 },
  async () => {
    const origin = await startOrigin();
    await origin.store.submit(a.facts("web"));
    const env = { XDG_CACHE_HOME: mkdtempSync(join(folder, "cache-")) };
    const list = async (): Promise<Listed[]> =>
      JSON.parse((await census(["cache", "list", "--output", "json"], { env })).stdout) as Listed[];
    const words = ["open", origin.url, "--port", "0", "--no-browser"];
    const shown = await startServer(words, { env });
    const nodes = async (): Promise<string> => (await fetch(`${shown.url}/pdb/query/v4/nodes`)).text();
    await expect.poll(nodes).toContain('"certname":"web"');
    expect(await list()).toMatchObject([{ archive: origin.url, commands: null, as_of: null, sha256: null }]);
    const again = await census(words, { env });
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(
      new RegExp(`is in use by another process .*which shows ${origin.url} already; use the address that it printed`),
    );
    const small = { ...env, CENSUS_CACHE_SIZE: "1" };
    await census(["query", "nodes[count()]{}", "--archive", SAMPLE], { env: small });
    expect((await census(["cache", "clear"], { env })).stdout).toBe("Removed 1 archive from the cache; 1 in use\n");
    expect(await nodes()).toContain('"certname":"web"');
    expect(await shown.stop()).toBe(0);
    await origin.close();
    // What was copied is shown without the server.
    const later = await startServer(words, { env });
    expect(await (await fetch(`${later.url}/pdb/query/v4/nodes`)).text()).toContain('"certname":"web"');
    expect(await later.stop()).toBe(0);
    await census(["query", "nodes[count()]{}", "--archive", SAMPLE], { env: small });
    expect((await list()).map(({ archive }) => archive)).toStrictEqual(["sample.tgz"]);
  },
);
