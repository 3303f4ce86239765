import { readFile } from "node:fs/promises";
import { beforeAll, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { aboutOf, column, countOf, rowsOf, textOf } from "./server-rows.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, cellTimes, facetValue, facetValues, rowCount, tableOf } from "./table.ts";

/** The state of a node in words, decided here once more. */
function stateText(row: JsonObject, silence: string): string {
  if (row["report_timestamp"] === null) return "never reported";
  if (textOf(row, "report_timestamp") < silence) return "silent";
  if (row["latest_report_status"] === "failed") return "failed";
  if (row["cached_catalog_status"] === "on_failure") return "hidden failure";
  if (row["latest_report_corrective_change"] === true) return "corrective";
  if (row["latest_report_status"] === "changed") return "changed";
  return row["latest_report_noop_pending"] === true ? "pending" : "unchanged";
}

/** Starting takes long where other tests use the processors. */
async function startSample(): Promise<void> {
  await serverOf("sample");
}

describeInBrowser("the page of nodes", () => {
  beforeAll(startSample);

  it("shows every node with its state, and counts of the states", async () => {
    const url = await serverOf("sample");
    const nodes = await rowsOf(url, "nodes{ order by certname }");
    const { now, settings } = await aboutOf(url);
    const since = new Date(Date.parse(now) - 1000 * settings.silentAfter).toISOString();
    await using visit = await browse(`${url}/explorer/nodes`, { height: 1600 });
    const table = tableOf(visit.page, "Nodes");
    expect(await rowCount(table)).toBe(nodes.length);
    expect(await cellTexts(table, 0)).toStrictEqual(column(nodes, "certname"));
    const states = nodes.map((row) => stateText(row, since));
    const shown = await cellTexts(table, 1);
    // A silent node also has the sign of a last run that failed or hid that.
    const lasts = nodes.map((row, at) => {
      const last = states[at] === "silent" ? stateText(row, "") : "";
      return last === "failed" || last === "hidden failure" ? ` ${last}` : "";
    });
    expect(shown.map((text) => text.replace(/\s+/g, " ").replace(/ (?:noop|cached)$/, ""))).toStrictEqual(
      states.map((state, at) => state + (lasts[at] ?? "")),
    );
    const counts: Record<string, number> = {};
    for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
    expect(await facetValues(visit.page, "State")).toStrictEqual(counts);
  });

  it("cuts long names in the middle, and copies them whole", async () => {
    const url = await serverOf("thousand");
    await using visit = await browse(`${url}/explorer/nodes`, { width: 1440, height: 900 });
    const names = tableOf(visit.page, "Nodes").locator("a bdi.name");
    await expect.poll(() => names.count()).toBeGreaterThan(10);
    const seen = await names.evaluateAll((elements) =>
      elements.map((element) => {
        const cell = element.closest("[role=gridcell]") ?? element;
        const short = element.querySelector<HTMLElement>(".name-short");
        const { start = "", end = "" } = short?.dataset ?? {};
        const place = short?.getBoundingClientRect();
        return {
          name: element.textContent ?? "",
          parts: start + end,
          isSeen: Math.round((place?.top ?? 0) - element.getBoundingClientRect().top) === 0,
          isCut: cell.scrollWidth > cell.clientWidth,
        };
      }),
    );
    const long = seen.filter(({ name }) => name.length > 35);
    expect(long.length).toBeGreaterThan(0);
    expect(long.filter(({ name, parts, isSeen }) => parts !== name || !isSeen)).toStrictEqual([]);
    expect(seen.filter(({ isCut }) => isCut)).toStrictEqual([]);
  });

  it("filters by a facet, by several values, and by leaving one out; the address says so", async () => {
    const url = await serverOf("sample");
    const count = async (os: string): Promise<number> => countOf(url, `nodes{ inventory{ facts.os.name = "${os}" } }`);
    const [all, debian, sles] = await Promise.all([countOf(url, "nodes{}"), count("Debian"), count("SLES")]);
    await using visit = await browse(`${url}/explorer/nodes`);
    const { page } = visit;
    const table = tableOf(page, "Nodes");
    const value = facetValue(page, "OS", "Debian");
    await value.click();
    await visit.settled();
    expect(await rowCount(table)).toBe(debian);
    expect(new URL(page.url()).searchParams.getAll("f")).toStrictEqual(['facts.os.name="Debian"']);
    await facetValue(page, "OS", "SLES").click({ modifiers: ["Control"] });
    await visit.settled();
    expect(await rowCount(table)).toBe(debian + sles);
    // The facet's own counts stay, so that another value can be chosen.
    expect((await facetValues(page, "OS"))["SLES"]).toBe(sles);
    await page.goBack();
    await visit.settled();
    expect(await rowCount(table)).toBe(debian);
    await value.click({ modifiers: ["Alt"] });
    await visit.settled();
    expect(await rowCount(table)).toBe(all - debian);
    await page.reload();
    await visit.settled();
    expect(await rowCount(table)).toBe(all - debian);
    await using copied = await browse(page.url());
    expect(await cellTexts(tableOf(copied.page, "Nodes"), 0)).toStrictEqual(await cellTexts(table, 0));
    await page.getByRole("button", { name: "Remove the filter OS: not Debian" }).click();
    await visit.settled();
    expect(await rowCount(table)).toBe(all);
  });

  it("sorts by fields and by facts, and shows facts as columns", async () => {
    const url = await serverOf("sample");
    const columns = "cols=certname,facts.kernelrelease,facts.mountpoints.%22/%22.size_bytes";
    await using visit = await browse(`${url}/explorer/nodes?${columns}`, { height: 1600 });
    const { page } = visit;
    const table = tableOf(page, "Nodes");
    const facts = await rowsOf(url, "inventory[certname, facts.kernelrelease]{ order by certname }");
    const kernels = new Map(facts.map((row) => [textOf(row, "certname"), textOf(row, "facts.kernelrelease")]));
    const names = await cellTexts(table, 0);
    expect(await cellTexts(table, 1)).toStrictEqual(names.map((name) => kernels.get(name) ?? "–"));
    const sizes = await cellTexts(table, 2);
    expect(sizes.filter((text) => /^\d+ [\d.]+ [KMGT]iB$/.test(text)).length).toBeGreaterThan(30);
    await page.getByRole("columnheader", { name: "kernelrelease" }).getByRole("button").first().click();
    await visit.settled();
    const sorted = await rowsOf(
      url,
      'fact_contents[certname, value]{ path = ["kernelrelease"] order by value, certname }',
    );
    // Nodes without the fact are last.
    const without = names.filter((name) => !kernels.has(name));
    expect(without.length).toBeGreaterThan(0);
    expect(await cellTexts(table, 0)).toStrictEqual([...column(sorted, "certname"), ...without]);
    expect(await cellTexts(table, 1)).toStrictEqual([...column(sorted, "value"), ...without.map(() => "–")]);
    await page.getByRole("columnheader", { name: "Certname" }).getByRole("button").first().click();
    await page.getByRole("columnheader", { name: "Certname" }).getByRole("button").first().click();
    await visit.settled();
    expect((await cellTexts(table, 0))[0]).toBe(names.at(-1));
    expect(new URL(page.url()).searchParams.get("sort")).toBe("-certname");
  });

  it("shows when the catalog was compiled, not when it arrived, and sorts and filters by the catalog", async () => {
    const url = await serverOf("sample");
    const catalogs = await rowsOf(url, "catalogs[certname, producer_timestamp, producer]{ order by certname }");
    await using visit = await browse(`${url}/explorer/nodes`, { height: 1600 });
    const { page } = visit;
    const table = tableOf(page, "Nodes");
    const at = (await table.getByRole("columnheader").allInnerTexts()).indexOf("Catalog") - 1;
    const compiled = new Map(catalogs.map((row) => [textOf(row, "certname"), textOf(row, "producer_timestamp")]));
    const names = await cellTexts(table, 0);
    expect(await cellTimes(table, at)).toStrictEqual(names.map((name) => compiled.get(name) ?? ""));

    await table.getByRole("columnheader", { name: "Catalog" }).getByRole("button").first().click();
    await page.waitForURL(/sort=catalogs\.producer_timestamp/);
    await visit.settled();
    const times = column(catalogs, "producer_timestamp").sort();
    expect((await cellTimes(table, at)).filter((time) => time !== "")).toStrictEqual(times);

    const [producer = ""] = column(catalogs, "producer").filter((name) => name !== "");
    const own = catalogs.filter((row) => textOf(row, "producer") === producer).length;
    expect((await facetValues(page, "Producer"))[producer]).toBe(own);
    await facetValue(page, "Producer", producer).click();
    await visit.settled();
    expect(await rowCount(table)).toBe(own);
    await facetValue(page, "Producer", producer).click({ modifiers: ["Alt"] });
    await visit.settled();
    // Nodes without a catalog are not left out.
    expect(await rowCount(table)).toBe((await countOf(url, "nodes{}")) - own);
  });

  it("names facets of facts as the facts, whether they are pinned or only filtered by", async () => {
    const filter = new URLSearchParams({ f: 'facts.os.release.full="9.6"' }).toString();
    await using visit = await browse(`${await serverOf("sample")}/explorer/nodes?${filter}`);
    const { page } = visit;
    expect(Object.keys(await facetValues(page, "os.release.full"))).toContain("9.6");
    expect(await page.getByRole("list", { name: "Filters" }).innerText()).toBe("os.release.full: 9.6");
  });

  it("shows how many changes are pending where one looks at pending nodes", async () => {
    const url = await serverOf("sample");
    const counts = await rowsOf(
      url,
      'events[certname, count()]{ status = "noop" and latest_report? = true group by certname }',
    );
    await using visit = await browse(`${url}/explorer/nodes?f=state%3D%22pending%22`);
    const heads = async (): Promise<string[]> => visit.page.locator(".table-head .table-title").allInnerTexts();
    expect(await heads()).toStrictEqual(["Certname", "State", "Environment", "Report", "Catalog", "Pending", "Failed"]);
    const table = tableOf(visit.page, "Nodes");
    const expected = (await cellTexts(table, 0)).map(
      (name) => counts.find((row) => row["certname"] === name)?.["count"],
    );
    expect(await cellTexts(table, 5)).toStrictEqual(expected.map(String));
    await visit.page.getByRole("button", { name: /^Remove the filter/ }).click();
    await visit.settled();
    expect(await heads()).toContain("Skipped");
  });

  it("hides, moves and adds columns", async () => {
    await using visit = await browse(`${await serverOf("sample")}/explorer/nodes?cols=certname,state,report_timestamp`);
    const { page } = visit;
    const heads = async (): Promise<string[]> => page.locator(".table-head .table-title").allInnerTexts();
    const choose = async (title: string, item: string): Promise<void> => {
      await page.getByRole("columnheader", { name: title }).hover();
      await page.getByRole("button", { name: `Column ${title}` }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await choose("Report", "Move to the left");
    expect(await heads()).toStrictEqual(["Certname", "Report", "State"]);
    await choose("State", "Hide");
    expect(await heads()).toStrictEqual(["Certname", "Report"]);
    await page.getByRole("button", { name: "Columns", exact: true }).click();
    await page.getByRole("combobox", { name: "Add a fact as a column" }).fill("os release full");
    await page.getByRole("option", { name: /^os\.release\.full/ }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await visit.settled();
    expect(await heads()).toStrictEqual(["Certname", "Report", "os.release.full"]);
    expect(new URL(page.url()).searchParams.get("cols")).toBe("certname,report_timestamp,facts.os.release.full");
  });

  it("is used by keyboard alone: row, selection, node, next node, back to the same place", async () => {
    const url = await serverOf("sample");
    const names = column(await rowsOf(url, "nodes[certname]{ order by certname }"), "certname");
    await using visit = await browse(`${url}/explorer/nodes`, { height: 500 });
    const { page } = visit;
    for (let row = 0; row < 20; row += 1) await page.keyboard.press("j");
    await page.keyboard.press("Space");
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+Space");
    expect(await page.getByRole("region", { name: "Selected nodes" }).innerText()).toContain("2 selected");
    expect(new URL(page.url()).searchParams.get("sel")).toBe(`${names[20] ?? ""},${names[21] ?? ""}`);
    const top = await page.evaluate("scrollY");
    expect(top).toBeGreaterThan(100);
    await page.waitForTimeout(300);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: names[21] ?? "" }).waitFor();
    await page.getByText(`22 of ${names.length}`).waitFor();
    await page.keyboard.press("]");
    await page.getByRole("heading", { level: 1, name: names[22] ?? "" }).waitFor();
    await page.keyboard.press("[");
    await page.getByRole("heading", { level: 1, name: names[21] ?? "" }).waitFor();
    for (let step = 0; step < 3; step += 1) await page.goBack();
    await visit.settled();
    expect(await page.evaluate("scrollY")).toBe(top);
    await page.keyboard.press("x");
    expect(await page.getByRole("menuitem", { name: "CSV", exact: true }).first().getAttribute("href")).toContain(
      "/explorer/api/v1/rows?",
    );
  });

  it("fetches a thousand nodes in windows, and renders few of them", async () => {
    const url = await serverOf("thousand");
    const names = column(await rowsOf(url, "nodes[certname]{ order by certname }"), "certname");
    await using visit = await browse(`${url}/explorer/nodes`);
    const { page } = visit;
    const offsets: string[] = [];
    page.on("request", (request) => {
      const offset = new URL(request.url()).searchParams.get("offset");
      if (offset !== null) offsets.push(offset);
    });
    const table = tableOf(page, "Nodes");
    expect(await rowCount(table)).toBe(1000);
    await table.focus();
    await page.keyboard.press("Control+End");
    await page.getByRole("gridcell", { name: names.at(-1) ?? "", exact: true }).waitFor();
    await visit.settled();
    expect(offsets).toStrictEqual(["500"]);
    expect((await cellTexts(table, 0)).at(-1)).toBe(names.at(-1));
    expect(await page.locator(".table-body [role=row]").count()).toBeLessThan(60);
  });

  it("exports the rows that it shows, in their order", async () => {
    const url = await serverOf("sample");
    const where = 'f=state%3D"failed"&f=state%3D"changed"';
    await using visit = await browse(`${url}/explorer/nodes?${where}&sort=-report_timestamp`);
    const { page } = visit;
    await page.getByRole("button", { name: "Export" }).click();
    const waiting = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "NDJSON" }).first().click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^nodes-\d{4}-\d\d-\d\d\.ndjson$/);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as JsonObject);
    const names = await cellTexts(tableOf(page, "Nodes"), 0);
    expect(column(rows, "certname")).toStrictEqual(names);
    // The columns that are shown, the state among them.
    expect(Object.keys(rows[0] ?? {})).toStrictEqual([
      "certname",
      "state",
      "report_environment",
      "report_timestamp",
      "catalogs.producer_timestamp",
      "events.failure",
      "events.success",
      "events.skipped",
    ]);
    expect(new Set(column(rows, "state"))).toStrictEqual(new Set(["failed", "changed"]));

    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "Copy names" }).click();
    await page.getByText(`${names.length} names copied`).waitFor({ state: "attached" });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(names.join("\n"));
  });

  it("sorts by the state, the most urgent first, and by how many resources failed", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nodes`, { height: 1600 });
    const { page } = visit;
    const table = tableOf(page, "Nodes");
    await table.getByRole("columnheader", { name: "State" }).getByRole("button").first().click();
    await page.waitForURL(/sort=state/);
    await visit.settled();
    const states = (await cellTexts(table, 1)).map(
      (text) => text.split("\n")[0]?.replace(/ (?:noop|cached)$/, "") ?? "",
    );
    expect(states[0]).toBe("failed");
    expect(states.lastIndexOf("failed")).toBe(states.filter((state) => state === "failed").length - 1);
    await table.getByRole("columnheader", { name: "Failed" }).getByRole("button").first().click();
    await page.waitForURL(/sort=-events\.failure/);
    await visit.settled();
    const at = (await table.getByRole("columnheader").allInnerTexts()).indexOf("Failed") - 1;
    const failures = (await cellTexts(table, at)).map((text) => (text === "–" ? 0 : Number(text)));
    expect(failures[0]).toBeGreaterThan(0);
    expect(failures).toStrictEqual(failures.toSorted((one, other) => other - one));
  });

  it("counts nodes by two facts, and leads to the nodes of a group", async () => {
    const url = await serverOf("sample");
    const fields = ["facts.os.name", "facts.os.release.major"];
    await using visit = await browse(`${url}/explorer/nodes?group=${fields.join(",")}`);
    const { page } = visit;
    const table = tableOf(page, "Nodes by OS and OS release");
    const groups = await rowsOf(url, `inventory[${fields.join(", ")}, count()]{ group by ${fields.join(", ")} }`);
    const expected = groups.map(
      (row) => `${textOf(row, "facts.os.name")} "${textOf(row, "facts.os.release.major")}" ${textOf(row, "count")}`,
    );
    const [names, majors, counts] = await Promise.all([0, 1, 2].map(async (at) => cellTexts(table, at)));
    const shown = (names ?? []).map((name, at) => `${name} ${majors?.[at] ?? ""} ${counts?.[at] ?? ""}`);
    expect(shown.filter((text) => !text.startsWith("none")).sort()).toStrictEqual(expected.sort());
    await table.getByRole("button", { name: /^Show \d+ nodes with AlmaLinux, 9$/ }).click();
    await visit.settled();
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(
      await countOf(url, 'nodes{ inventory{ facts.os.name = "AlmaLinux" and facts.os.release.major = "9" } }'),
    );
  });

  it("keeps own views and own facets in the browser", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nodes?f=facts.os.name%3D"SLES"&sort=-report_timestamp`);
    const { page } = visit;
    await page.getByRole("button", { name: "View: not saved" }).click();
    await page.getByRole("menuitem", { name: "Save this view…" }).click();
    await page.getByRole("textbox", { name: "Name of the view" }).fill("Old SLES");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Add a fact" }).fill("timezone");
    await page.getByRole("option", { name: /^timezone/ }).click();
    await visit.go(`${url}/explorer/nodes`);
    expect(Object.keys(await facetValues(page, "timezone")).length).toBeGreaterThan(1);
    await page.getByRole("button", { name: "View: All nodes" }).click();
    await page.getByRole("menuitem", { name: "Old SLES" }).click();
    await visit.settled();
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(
      await countOf(url, 'nodes{ inventory{ facts.os.name = "SLES" } }'),
    );
    await page.getByRole("button", { name: "View: Old SLES" }).click();
    await page.getByRole("menuitem", { name: "Hidden failures" }).click();
    await visit.settled();
    expect(await facetValue(page, "State", "hidden failure").getAttribute("aria-pressed")).toBe("true");
  });

  it("says which filter to give up when nothing matches", async () => {
    const url = await serverOf("sample");
    const filters = 'f=facts.os.name%3D"SLES"&f=report_environment%3D"hotfix_214"&f=latest_report_noop%3Dtrue';
    await using visit = await browse(`${url}/explorer/nodes?${filters}`);
    const { page } = visit;
    const without = page.getByRole("button", { name: /^Without “OS: SLES”: \d+ nodes/ });
    await without.waitFor();
    const expected = await countOf(url, 'nodes{ report_environment = "hotfix_214" and latest_report_noop = true }');
    expect(await without.innerText()).toContain(`: ${expected} nodes`);
  });

  it("shows the server's words when it refuses the filter", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nodes?q=no_such_field%20%3D%201`, {
      expected: [/status of 400/],
    });
    expect(await visit.text()).toContain("no_such_field");
    expect(await visit.page.getByRole("link", { name: "Open the query in the workbench" }).count()).toBeGreaterThan(0);
  });

  it.each(["light", "dark"] as const)(
    "meets the accessibility rules, with filters, selection and menu: %s",
    async (theme) => {
      const url = await serverOf("sample");
      const [first] = await rowsOf(url, "nodes[certname]{ order by certname limit 1 }");
      const address = `${url}/explorer/nodes?f=state%3D"failed"&f=facts.os.name!%3D"SLES"&sel=${textOf(first, "certname")}`;
      await using visit = await browse(address, { theme });
      expect(await visit.accessibilityFindings()).toStrictEqual([]);
      await visit.page.getByRole("button", { name: /^View/ }).click();
      expect(await visit.accessibilityFindings()).toStrictEqual([]);
    },
  );

  it.each([320, 400, 1024])("fits a window of %i px", async (width) => {
    await using visit = await browse(`${await serverOf("sample")}/explorer/nodes?f=state%3D"failed"`, { width });
    expect(await visit.overflow()).toMatchObject({ pixels: 0 });
  });

  it("folds the facets behind a button on narrow windows", async () => {
    await using visit = await browse(`${await serverOf("sample")}/explorer/nodes?f=state%3D"failed"`, { width: 320 });
    const state = visit.page.getByRole("region", { name: "State" });
    expect(await state.isVisible()).toBe(false);
    await visit.page.getByRole("button", { name: "Filters (1)" }).click();
    await state.waitFor();
    expect(await visit.overflow()).toMatchObject({ pixels: 0 });
  });

  it("shows hostile names and facts as texts", async () => {
    const url = await serverOf("hostile");
    await using visit = await browse(`${url}/explorer/nodes?cols=certname,state,report_environment,facts.os.name`);
    expect(await rowCount(tableOf(visit.page, "Nodes"))).toBe(await countOf(url, "nodes{}"));
    await visit.page.getByRole("combobox", { name: "Add a fact" }).fill("a");
    await visit.page.locator(".combobox [role=option]").first().waitFor();
    expect(await visit.accessibilityFindings()).toStrictEqual([]);
  });
});
