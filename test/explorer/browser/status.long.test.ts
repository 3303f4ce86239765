import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import { census, SAMPLE, workFolder } from "#test/cli/census.ts";
import type { Running } from "#test/running.ts";
import { queued, RECEIVED } from "#test/storage/queue/entries.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { json } from "./rows.ts";
import { serveFolder } from "./serve.ts";

const folder = workFolder();
const data = join(folder, "data");
const config = join(folder, "census.ini");

const secrets = ["hunter2-database", "hunter2-migrator", "hunter2-key", "hunter2-trust"] as const;
const [ofDatabase, ofMigrator, ofKey, ofTrust] = secrets;

const reason = `<img src=x onerror="hostileTextRan=1">: expected an object`;

let server: Running;

interface Setting {
  readonly section: string;
  readonly name?: string;
  readonly setting?: string;
  readonly value: string | null;
  readonly from: string;
  readonly note: string;
}

describeInBrowser("the page of the status", () => {
  beforeAll(async () => {
    writeFileSync(
      config,
      `[database]\nusername = puppetdb\npassword = ${ofDatabase}\nmigrator-password = ${ofMigrator}\nnode-ttl = 3d\n` +
        `[jetty]\nkey-password = ${ofKey}\ntrust-password = ${ofTrust}\n`,
    );
    await census(["import", SAMPLE, "--data", data]);
    const letters = new DeadLetters(join(data, "queue"));
    await letters.discard(queued(17), Buffer.from("{}"), [{ at: RECEIVED, message: reason }]);
    await letters.discard(queued(18, { certname: "bar", received: RECEIVED + 1000n }), Buffer.from("{}"), [
      { at: RECEIVED, message: "a second reason" },
    ]);
    server = await serveFolder(data, "--now", "2026-11-20T12:00:00Z", "--config", config);
  });
  afterAll(async () => {
    await server.stop();
  });

  it("lists dead letters as census dead-letters does, the newest first, with texts of clients as texts", async () => {
    const listed = JSON.parse((await census(["dead-letters", "list", "--data", data])).stdout) as object[];
    const answer = await json<{ total: number; letters: object[] }>(`${server.url}/explorer/api/v1/dead-letters`);
    expect(answer).toEqual({ total: 2, letters: listed.toReversed() });
    await using visit = await browse(`${server.url}/explorer/status`);
    const rows = visit.page.getByRole("table", { name: "Dead letters" }).locator("tbody tr");
    await rows.nth(1).waitFor();
    expect(await rows.nth(0).innerText()).toMatch(/bar[^]*a second reason/);
    expect(await rows.nth(1).innerText()).toContain(reason);
  });

  it("shows the settings as census config does, and no secret anywhere", async () => {
    const known = JSON.parse((await census(["config", "--config", config, "--output", "json"])).stdout) as Setting[];
    const answer = await json<{ settings: Setting[] }>(`${server.url}/explorer/api/v1/settings`);
    const byName = new Map(answer.settings.map((one) => [`${one.section} ${one.name}`, one]));
    expect(byName.size).toBe(known.length);
    for (const { section, setting, value, from, note } of known) {
      const shown = byName.get(`${section} ${setting}`);
      // Those are set by the options of this server.
      if (shown?.from.startsWith("--") === true) continue;
      expect(shown).toEqual({ section, name: setting, value, from, note });
    }
    await using visit = await browse(`${server.url}/explorer/status?defaults=`);
    const { page } = visit;
    await page.getByRole("table", { name: "Settings" }).waitFor();
    expect(await page.getByRole("table", { name: "Settings" }).locator("tbody tr").count()).toBe(known.length);
    const everything = [JSON.stringify(answer), await page.content()].join("\n");
    expect(everything).toContain("key-password");
    for (const secret of secrets) expect(everything).not.toContain(secret);
    await page.getByRole("checkbox", { name: "Defaults too" }).uncheck();
    await expect.poll(() => page.getByRole("table", { name: "Settings" }).innerText()).toContain("node-ttl");
    expect(await page.getByRole("table", { name: "Settings" }).innerText()).not.toContain("node-purge-ttl");
    await page.getByRole("searchbox", { name: "Search settings" }).fill("no such setting");
    await page.getByText("No setting has this in its name.").waitFor();
  });

  it.each(["light", "dark"] as const)("breaks no rule of accessibility in the %s theme", async (theme) => {
    await using visit = await browse(`${server.url}/explorer/status`, { theme, width: 400 });
    await visit.page.getByRole("table", { name: "Settings" }).waitFor();
    expect(await visit.accessibilityFindings()).toEqual([]);
    expect(await visit.overflow()).toMatchObject({ pixels: 0 });
    expect(await visit.indistinct()).toEqual([]);
  });
});
