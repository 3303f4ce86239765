import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { census, workFolder } from "#test/cli/census.ts";
import { writeSite } from "#test/cli/diff/site.ts";
import { startProgram } from "#test/program.ts";
import { type Running, running } from "#test/running.ts";
import { writeHostileArchive } from "../hostile-archive.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { json } from "./rows.ts";
import { cellTexts, tableOf } from "./table.ts";

const folder = workFolder();
const [older, newer] = [join(folder, "old.tgz"), join(folder, "new.tgz")];

interface Differences {
  readonly nodes: readonly {
    readonly kind: string;
    readonly certname: string;
    readonly resources?: readonly { readonly kind: string }[];
  }[];
  readonly summary: { readonly nodes: Readonly<Record<string, number>> };
}

let server: Running;
/** What `census diff` writes. */
let differences: Differences;

describeInBrowser("two archives", () => {
  beforeAll(async () => {
    await writeSite(older, newer);
    differences = JSON.parse((await census(["diff", older, newer, "--output", "json"])).stdout) as Differences;
    const words = ["open", newer, "--against", older, "--no-browser", "--port", "0"];
    server = await running(startProgram(words, { env: { XDG_CACHE_HOME: folder } }));
  });
  afterAll(async () => {
    await server.stop();
  });

  it("are compared as census diff does, and so is one node of them", async () => {
    expect(server.said()).toContain(`What differs from ${older}: ${server.url}/explorer/compare\n`);
    await using visit = await browse(`${server.url}/explorer/compare`);
    const { page } = visit;
    const { changed, added, removed, same } = differences.summary.nodes;
    const text = await visit.text();
    expect(text).toContain(`${changed} nodes changed, ${added} added, ${removed} removed, ${same} the same`);
    const table = tableOf(page, "Nodes that differ");
    const names = differences.nodes.map(({ certname }) => certname);
    expect(await cellTexts(table, 0)).toEqual(names);
    expect(await cellTexts(table, 1)).toEqual(differences.nodes.map(({ kind }) => kind));

    const web = differences.nodes.find(({ certname }) => certname === "web-01.example.com");
    await table.getByRole("link", { name: "web-01.example.com" }).click();
    await visit.settled();
    const parts = page.getByRole("navigation", { name: "Parts of the comparison" });
    await parts.getByRole("link", { name: `Resources (${web?.resources?.length})` }).click();
    await visit.settled();
    await page.getByRole("button", { name: "Show the changed lines" }).click();
    await expect.poll(() => visit.text()).toContain("Ask the platform team.");
    await parts.getByRole("link", { name: /^Latest report/ }).click();
    await visit.settled();
    expect(await visit.text()).toContain("address already in use");
    await page.goBack();
    await page.getByRole("link", { name: "all nodes" }).click();
    await visit.settled();
    expect(await cellTexts(table, 0)).toEqual(names);
  });

  it("show of a node that only one of them has which one that is", async () => {
    await using visit = await browse(`${server.url}/explorer/compare?node=db-01.example.com`);
    expect(await visit.text()).toContain("Only old.tgz has this node.");
  });

  it.each(["light", "dark"] as const)("break no rule of accessibility in the %s theme", async (theme) => {
    await using visit = await browse(`${server.url}/explorer/compare`, { theme, width: 400 });
    for (const address of ["", "?node=web-01.example.com&part=resources", "?node=web-01.example.com&part=report"]) {
      await visit.go(`${server.url}/explorer/compare${address}`);
      const { pixels } = await visit.overflow();
      const findings = await visit.accessibilityFindings();
      const [unreadable, indistinct] = [await visit.unreadable(), await visit.indistinct()];
      expect({ address, pixels, findings, unreadable, indistinct }).toEqual({
        address,
        pixels: 0,
        findings: [],
        unreadable: [],
        indistinct: [],
      });
    }
  });
});

/** Nodes whose comparison is opened: every sixth. */
const SAMPLED = 6;

describeInBrowser("two archives of which agents chose every text", () => {
  it("are compared as texts, on the page of all nodes and of each, at no greater width", async () => {
    const [before, after] = ["before", "after"].map((name) => join(folder, name)) as [string, string];
    for (const place of [before, after]) mkdirSync(place);
    const [old, now] = [await writeHostileArchive(before), await writeHostileArchive(after, 1)];
    const words = ["open", now, "--against", old, "--no-browser", "--port", "0"];
    const hostile = await running(startProgram(words, { env: { XDG_CACHE_HOME: folder } }));
    try {
      const { different } = await json<{ different: readonly { certname: string; kind: string }[] }>(
        `${hostile.url}/explorer/api/v1/archive-comparison`,
      );
      const changed = different.filter(({ kind }) => kind === "changed");
      expect(changed.length).toBeGreaterThan(hostileTexts.length / 2);
      const chosen = changed.filter((_, index) => index % SAMPLED === 0).map(({ certname }) => certname);
      const addresses = [
        {},
        { volatile: "" },
        ...chosen.map((node, index) => {
          const part = ["facts", "resources", "edges", "packages", "report"][index % 5] ?? "";
          return { node, part, volatile: "" };
        }),
      ];
      await using visit = await browse(`${hostile.url}/explorer/help`);
      for (const parameters of addresses) {
        await visit.go(`${hostile.url}/explorer/compare?${new URLSearchParams(parameters).toString()}`);
        const { widest } = await visit.overflow();
        const found = { parameters, alerts: await visit.alerts(), problems: visit.problems, widest };
        expect(found).toStrictEqual({ parameters, alerts: [], problems: [], widest: [] });
      }
    } finally {
      await hostile.stop();
    }
  });
});
