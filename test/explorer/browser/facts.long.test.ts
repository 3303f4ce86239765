import { expect, it } from "vitest";
import { rowsOf } from "./server-rows.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { csvLines } from "./rows.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, rowCount, tableOf } from "./table.ts";

describeInBrowser("the list of facts", () => {
  it("has every fact, with the nodes that have it and its different values", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/facts`);
    const facts = await rowsOf(url, "facts[certname, name, value]{}");
    const nodes = new Map<string, number>();
    const values = new Map<string, Set<string>>();
    for (const { name, value } of facts as { name: string; value: unknown }[]) {
      nodes.set(name, (nodes.get(name) ?? 0) + 1);
      values.set(name, (values.get(name) ?? new Set()).add(JSON.stringify(value)));
    }
    const table = tableOf(visit.page, "Facts");
    expect(await rowCount(table)).toBe(nodes.size);
    const shown = await cellTexts(table, 0);
    expect(shown.length).toBeGreaterThan(10);
    expect((await cellTexts(table, 2)).map(Number)).toEqual(shown.map((name) => nodes.get(name)));
    // They are counted after the list is shown.
    await expect
      .poll(async () => (await cellTexts(table, 4)).map(Number))
      .toEqual(shown.map((name) => values.get(name)?.size));
    await visit.page.getByText(`${nodes.size} facts of`).waitFor();
  });

  it("unfolds structured facts by the keyboard, and keeps that in the address", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/facts`);
    const { page } = visit;
    const table = tableOf(page, "Facts");
    const place = (await cellTexts(table, 0)).indexOf("load_averages");
    expect(place).toBeGreaterThan(0);
    await table.focus();
    for (let step = 0; step < place; step++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await table.getByText("15m", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.getAll("open")).toEqual(["load_averages"]);
    // A part is listed once per type.
    const paths = await rowsOf(url, 'fact_paths[path]{ name = "load_averages" }');
    const leaves = [...new Set(paths.map(({ path }) => (path as string[])[1] ?? ""))].sort((a, b) =>
      a.localeCompare(b),
    );
    await page.reload();
    await visit.settled();
    await table.getByText("15m", { exact: true }).waitFor();
    const parts = (await cellTexts(table, 0)).slice(place + 1, place + 1 + leaves.length);
    expect(parts.toSorted((a, b) => a.localeCompare(b))).toEqual(leaves);
  });

  it("finds parts of paths", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/facts`);
    const { page } = visit;
    await page.keyboard.press("/");
    await page.keyboard.type("release.full");
    const table = tableOf(page, "Facts");
    await table.getByText("full").first().waitFor();
    await visit.settled();
    expect(await cellTexts(table, 0)).toEqual(["os", "distro", "release", "full", "release", "full"]);
    await page.getByRole("searchbox", { name: "Search in paths of facts" }).fill("no such path");
    await page.getByText("No fact matches.").waitFor();
  });
});

describeInBrowser("a fact", () => {
  it("shows how often each value occurs, and leads to its nodes", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/fact?path=os.name`);
    const { page } = visit;
    const expected = await rowsOf(url, 'fact_contents[value, count()]{ path = ["os", "name"] group by value }');
    const shown = await page
      .getByRole("table", { name: "Nodes by value" })
      .locator("tbody tr")
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector("th")?.textContent, Number(row.querySelector("td")?.textContent)]),
      );
    expect(new Map(shown as [string, number][])).toEqual(
      new Map(expected.map(({ value, count }) => [value as string, Number(count)])),
    );
    const all = await rowsOf(url, "nodes[count()]{}");
    const having = expected.reduce((sum, { count }) => sum + Number(count), 0);
    await page.getByText(`${having} of ${Number(all[0]?.["count"])} nodes have it`).waitFor();
    await page.getByRole("link", { name: "Debian" }).click();
    await visit.settled();
    const debian = expected.find(({ value }) => value === "Debian");
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(Number(debian?.["count"]));
    await page.goBack();
    await visit.settled();
    await page.getByRole("link", { name: /^missing on/ }).click();
    await visit.settled();
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(Number(all[0]?.["count"]) - having);
  });

  it("lists every node with its value, sorted by the server, and exports the same", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/fact?path=memory.system.total_bytes&tab=nodes`);
    const { page } = visit;
    const expected = await rowsOf(
      url,
      'fact_contents[certname, value]{ path = ["memory", "system", "total_bytes"] order by value, certname }',
    );
    const table = tableOf(page, "Nodes with this fact");
    expect(await rowCount(table)).toBe(expected.length);
    const shown = await cellTexts(table, 0);
    expect(shown).toEqual(expected.slice(0, shown.length).map(({ certname }) => certname));
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const link = await page.getByRole("menuitem", { name: "CSV", exact: true }).first().getAttribute("href");
    const lines = await csvLines(`${url}${link ?? ""}`);
    expect([...lines].sort()).toEqual(
      expected.map(({ certname, value }) => `${certname as string},${value as number}`).sort(),
    );
  });

  it("of numbers has a histogram that the keyboard reads as the table says, with its median", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/fact?path=drift_ms`);
    const { page } = visit;
    const values = (await rowsOf(url, 'facts[value]{ name = "drift_ms" }')).map(({ value }) =>
      Number(JSON.stringify(value)),
    );
    const sorted = values.sort((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
    await page
      .getByText(`median ${median.toLocaleString("en", { maximumFractionDigits: 2 })}`, { exact: true })
      .waitFor();
    const plot = page.getByRole("slider");
    await plot.focus();
    await page.keyboard.press("Home");
    const readings: string[] = [];
    const last = Number(await plot.getAttribute("aria-valuemax"));
    for (let at = 0; at <= last; at++) {
      readings.push((await plot.getAttribute("aria-valuetext")) ?? "");
      await page.keyboard.press("ArrowRight");
    }
    const counts = readings.map((text) => Number(/: ([\d,]+) nodes/.exec(text)?.[1]));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length);
    await page.getByRole("button", { name: "as table" }).click();
    const rows = await page.locator(".chart-table tbody tr td:nth-of-type(1)").allInnerTexts();
    expect(rows.map(Number)).toEqual(counts);
    await page.getByRole("button", { name: "as chart" }).click();
    await plot.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Enter");
    await visit.settled();
    expect(await rowCount(tableOf(page, "Nodes"))).toBe((counts[0] ?? 0) + (counts[1] ?? 0));
  });

  it("of versions is in their order", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/fact?path=os.release.full`);
    const shown = await visit.page
      .getByRole("table", { name: "Nodes by value" })
      .locator("th[scope=row]")
      .allInnerTexts();
    const versions = shown.map((text) => text.replaceAll('"', "").trim());
    expect(versions.length).toBeGreaterThan(3);
    const parts = versions.map((version) => version.split(".").map(Number));
    expect(parts).toEqual(
      [...parts].sort(([aMajor = 0, aMinor = 0], [bMajor = 0, bMinor = 0]) => bMajor - aMajor || bMinor - aMinor),
    );
  });

  it("that is structured shows its parts, and one that no node has says so", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/fact?path=os`);
    const { page } = visit;
    await tableOf(page, "Facts").getByText("architecture", { exact: true }).click();
    await visit.settled();
    expect(new URL(page.url()).searchParams.get("path")).toBe("os.architecture");
    await visit.go(`${url}/explorer/fact?path=no.such.fact`);
    await page.getByText("No node has this fact.").waitFor();
    await visit.go(`${url}/explorer/fact?path=a..b`);
    await page.getByText("The address names a path that cannot be read.").waitFor();
  });

  it("shows hostile names and values as texts", async () => {
    const url = await serverOf("hostile");
    await using visit = await browse(`${url}/explorer/facts`);
    const { page } = visit;
    const links = await tableOf(page, "Facts")
      .getByRole("link")
      .evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""));
    expect(links.length).toBeGreaterThan(3);
    for (const link of links.slice(0, 25)) {
      await visit.follow(link);
      expect(await page.locator("h1").innerText()).not.toBe("");
    }
  });
});
