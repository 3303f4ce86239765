import { beforeAll, expect, it } from "vitest";
import type { ContentChanges } from "#storage/diff/changes.ts";
import { readReport } from "#storage/diff/contents.ts";
import { comparePairs } from "#storage/diff/nodes.ts";
import { diffParts } from "#storage/diff/parts.ts";
import { compareReports } from "#storage/diff/report.ts";
import type { Side } from "#storage/diff/side.ts";
import { pathText } from "#storage/diff/values.ts";
import { visibilityOf, volatilePatterns } from "#storage/diff/visibility.ts";
import { parseJson, stringifyJson } from "#storage/json.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { rows } from "./rows.ts";
import { serverOf } from "./serve.ts";
import type { Visit } from "./visit.ts";

let url: string;
let names: [left: string, right: string];
let expected: ContentChanges;

/** The server as `census diff` queries it. */
const side: Side = {
  isBytewise: true,
  query: async function* (query) {
    const response = await fetch(
      `${url}/pdb/query/v4?${new URLSearchParams({ query: stringifyJson(query) }).toString()}`,
    );
    yield (parseJson(await response.text()) as never[]).map(stringifyJson);
  },
};

async function diff([from, to]: readonly [string, string], withVolatile = false): Promise<ContentChanges> {
  const visibility = visibilityOf([], withVolatile ? [] : volatilePatterns);
  const options = { parts: new Set(diffParts), visibility, tags: true, locations: false };
  for await (const { change } of comparePairs(side, side, [{ from, to }], options)) {
    if (change?.kind === "changed") return change;
  }
  throw new Error("the nodes are the same");
}

async function tab(visit: Visit, name: string): Promise<void> {
  await visit.page
    .getByRole("navigation", { name: "Parts of the comparison" })
    .getByRole("link", { name: new RegExp(`^${name}`) })
    .click();
  await visit.settled();
}

/** Scrolls until the whole of a long list is there. */
async function showAll({ page }: Visit): Promise<void> {
  const more = page.locator("main").getByRole("button", { name: /^Show more of the/ });
  while ((await more.count()) > 0)
    await more
      .first()
      .click({ timeout: 2000 })
      .catch(() => undefined);
}

describeInBrowser("the page that compares", () => {
  beforeAll(async () => {
    url = await serverOf("sample");
    // Two nodes with packages of one provider.
    const [first] = await rows<{ certname: string; provider: string }>(
      url,
      'package_inventory[certname, provider]{ provider = "dnf" order by certname limit 1 }',
    );
    const [second] = await rows<{ certname: string }>(
      url,
      `package_inventory[certname]{ provider = "dnf" and !(certname = ${JSON.stringify(first?.certname)}) order by certname desc limit 1 }`,
    );
    names = [first?.certname ?? "", second?.certname ?? ""];
    expected = await diff(names);
  });

  it("shows two nodes' differences in facts, resources and edges as census diff finds them", async () => {
    const [left, right] = names;
    await using visit = await browse(`${url}/explorer/compare?${new URLSearchParams({ left, right }).toString()}`);
    const { page } = visit;
    const counts = await page.getByRole("navigation", { name: "Parts of the comparison" }).innerText();
    expect(counts).toContain(`Facts (${expected.facts.length})`);
    expect(counts).toContain(`Resources (${expected.resources.length})`);
    expect(counts).toContain(`Edges (${expected.edges.length})`);
    await showAll(visit);
    const facts = await page.getByRole("table", { name: "Facts" }).locator("th[scope=row]").allInnerTexts();
    expect(facts).toStrictEqual(expected.facts.map(({ path }) => pathText(path)));

    await tab(visit, "Resources");
    await showAll(visit);
    const only = (kind: string): number => expected.resources.filter((one) => one.kind === kind).length;
    const text = await visit.text();
    expect(text).toContain(`On both, but different (${only("changed")})`);
    expect(text).toContain(`Only ${left}: ${only("removed")} resources`);
    expect(text).toContain(`Only ${right}: ${only("added")} resources`);
    const changed = expected.resources.find((one) => one.kind === "changed");
    await page.getByRole("table", { name: `${changed?.type}[${changed?.title}]`.slice(0, 100) }).waitFor();
  });

  it("shows the packages that differ, with both versions", async () => {
    const [left, right] = names;
    const installed = await rows<{ certname: string; package_name: string; version: string }>(
      url,
      `package_inventory{ certname in ${JSON.stringify(names)} }`,
    );
    const of = (name: string): Map<string, string> =>
      new Map(
        installed.filter(({ certname }) => certname === name).map((one) => [one.package_name, one.version] as const),
      );
    const [before, after] = [of(left), of(right)];
    const different = [...new Set([...before.keys(), ...after.keys()])]
      .filter((name) => before.get(name) !== after.get(name))
      .sort()
      .map((name) => [`${name} (dnf)`, before.get(name) ?? "none", after.get(name) ?? "none"]);
    expect(different.length).toBeGreaterThan(0);
    await using visit = await browse(
      `${url}/explorer/compare?${new URLSearchParams({ left, right, part: "packages" }).toString()}`,
    );
    await showAll(visit);
    const shown = await visit.page
      .getByRole("table", { name: "Packages" })
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())));
    expect(shown.map((row) => row.map((cell) => cell.replaceAll('"', "")))).toStrictEqual(different);
  });

  it("shows what always differs when that is wanted, and swaps the sides", async () => {
    const all = await diff(names, true);
    expect(all.facts.length).toBeGreaterThan(expected.facts.length);
    const [left, right] = names;
    await using visit = await browse(`${url}/explorer/compare?${new URLSearchParams({ left, right }).toString()}`);
    const { page } = visit;
    await page.getByRole("checkbox", { name: /always differ/ }).check();
    const nav = page.getByRole("navigation", { name: "Parts of the comparison" });
    await expect.poll(async () => nav.innerText()).toContain(`Facts (${all.facts.length})`);
    await page.getByRole("button", { name: "Swap" }).click();
    await visit.settled();
    expect(await page.getByRole("table", { name: "Facts" }).locator("thead th").allInnerTexts()).toStrictEqual([
      "Name",
      right,
      left,
    ]);
  });

  it("is reached from two nodes that are selected, and takes names that are typed", async () => {
    const [left, right] = names.toSorted();
    await using visit = await browse(`${url}/explorer/nodes?sel=${names.join(",")}`);
    const { page } = visit;
    await page.getByRole("region", { name: "Selected nodes" }).getByRole("link", { name: "Compare" }).click();
    await page.waitForURL(/\/explorer\/compare/);
    await visit.settled();
    const fields = page.locator(".compare-node input");
    expect(await Promise.all([fields.nth(0).inputValue(), fields.nth(1).inputValue()])).toStrictEqual([left, right]);
    await fields.nth(1).fill("no-such-node.example.com");
    await fields.nth(1).press("Enter");
    await expect.poll(async () => visit.text()).toContain("No node with the certname");
  });

  it("compares a report with the one before of the same node", async () => {
    const [certname] = names;
    await using visit = await browse(`${url}/explorer/nodes/${certname}/reports`);
    const { page } = visit;
    await page.getByRole("grid").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/explorer\/reports\//);
    await visit.settled();
    await page.getByRole("link", { name: "Compare with previous" }).click();
    await page.waitForURL(/of=reports/);
    await visit.settled();
    const { searchParams } = new URL(page.url());
    const [before = "", after = ""] = ["left", "right"].map((name) => searchParams.get(name) ?? "");
    const [old, now] = await Promise.all([readReport(side, before), readReport(side, after)]);
    expect([old?.certname, now?.certname]).toStrictEqual([certname, certname]);
    if (old === undefined || now === undefined) return;
    const changes = compareReports(old, now);
    await page.getByRole("checkbox", { name: /always differ/ }).check();
    await visit.settled();
    const metrics = page.getByRole("table", { name: "Metrics" }).locator("tbody tr");
    expect(changes.metrics.length).toBeGreaterThan(0);
    expect(await metrics.count()).toBe(changes.metrics.length);
    const lines = changes.logs.filter(({ kind }) => kind === "added").length;
    expect(await visit.text()).toContain(`Only ${after.slice(0, 8)}: ${lines} log ${lines === 1 ? "line" : "lines"}`);
    expect(await page.getByRole("table", { name: "Metrics" }).locator("thead th").allInnerTexts()).toStrictEqual([
      "Name",
      before.slice(0, 8),
      after.slice(0, 8),
    ]);
  });
});
