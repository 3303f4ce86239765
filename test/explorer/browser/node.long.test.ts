import { join } from "node:path";
import { expect, it } from "vitest";
import { shortFile } from "#storage/display/short-file.ts";
import type { JsonObject } from "#storage/json.ts";
import { workFolder } from "#test/cli/census.ts";
import { column, countOf, rowsOf, textOf } from "./server-rows.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serveFolder, serverOf } from "./serve.ts";
import { cellTexts, cellTimes, facetValue, facetValues, rowCount, tableOf } from "./table.ts";

/** Of the sample: its last runs failed, at one service. */
const FAILED = "historian-0010.langsand.saltmarsh.example";

/** The value beside a name in a list of the summary. */
async function item(visit: Awaited<ReturnType<typeof browse>>, name: string): Promise<string> {
  const row = visit.page
    .locator(".facts-list > div")
    .filter({ has: visit.page.locator("dt", { hasText: new RegExp(`^${name}$`) }) });
  return row.locator("dd").innerText();
}

describeInBrowser("the page of a node", () => {
  it("says how it is, since when, and what kind of machine it is", async () => {
    const url = await serverOf("sample");
    const own = `certname = "${FAILED}"`;
    const reports = await rowsOf(
      url,
      `reports[status, producer, puppet_version]{ ${own} order by producer_timestamp desc }`,
    );
    const [facts] = await rowsOf(url, `inventory[facts.os.name, facts.networking.ip, facts.timezone]{ ${own} }`);
    await using visit = await browse(`${url}/explorer/nodes/${FAILED}`);
    const streak = reports.findIndex((row) => row["status"] !== "failed");
    expect(await visit.text()).toMatch(new RegExp(`failed\\s*: .* The last ${streak} runs were so, the first of them`));
    expect(await item(visit, "Catalog")).toContain(`${await countOf(url, `resources{ ${own} }`)} resources`);
    expect(await item(visit, "Producer")).toBe(textOf(reports[0], "producer"));
    expect(await item(visit, "Agent")).toBe(textOf(reports[0], "puppet_version"));
    expect(await item(visit, "OS")).toContain(textOf(facts, "facts.os.name"));
    expect(await item(visit, "Addresses")).toContain(textOf(facts, "facts.networking.ip"));
    expect(await item(visit, "Time zone")).toBe(textOf(facts, "facts.timezone"));
    expect(await visit.page.locator(".strip a").count()).toBe(reports.length);
    await visit.page.locator(".strip a").last().click();
    await visit.page.getByRole("heading", { level: 1, name: /^Report / }).waitFor();
  });

  it("shows facts as a tree that is searched and used by keyboard", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nodes/${FAILED}/facts`);
    const { page } = visit;
    const names = column(await rowsOf(url, `facts[name]{ certname = "${FAILED}" order by name }`), "name");
    const tree = page.getByRole("tree", { name: "Facts" });
    expect(await tree.locator("[role=treeitem] > .tree-name").allInnerTexts()).toStrictEqual(names);
    await page.keyboard.press("/");
    await page.keyboard.type("release.full");
    await page.waitForURL(/q=release/);
    const paths = await tree
      .locator("[role=treeitem][aria-level]")
      .evaluateAll((lines) =>
        lines.map(
          (line) =>
            `${line.getAttribute("aria-level")} ${line.querySelector<HTMLElement>(".tree-name")?.innerText ?? ""}`,
        ),
      );
    expect(paths).toStrictEqual(["1 os", "2 distro", "3 release", "4 full", "2 release", "3 full"]);
    await page.getByRole("searchbox", { name: "Search path or value" }).fill("");
    await page.waitForURL((address) => !address.searchParams.has("q"));
    await tree.focus();
    await page.keyboard.press("Home");
    for (const name of names) {
      if (name === "os") break;
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const active = tree.locator(".tree-active");
    expect(await active.getAttribute("aria-level")).toBe("2");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await active.getAttribute("aria-expanded")).toBe("false");
  });

  it("says how many nodes have the same value, and leads to them", async () => {
    const url = await serverOf("sample");
    const [kernel] = await rowsOf(url, `facts[value]{ certname = "${FAILED}" and name = "kernel" }`);
    const same = await countOf(url, `nodes{ inventory{ facts.kernel = ${JSON.stringify(textOf(kernel, "value"))} } }`);
    const all = await countOf(url, 'facts{ name = "kernel" }');
    await using visit = await browse(`${url}/explorer/nodes/${FAILED}/facts`);
    const { page } = visit;
    await page.getByRole("checkbox", { name: "Compare with all nodes" }).check();
    const line = page.locator("[role=treeitem]").filter({ has: page.locator(".tree-name", { hasText: /^kernel$/ }) });
    await line.getByText(`${same} of ${all} nodes have this`).waitFor();
    await line.hover();
    await line.getByRole("link", { name: "Who else has this" }).click();
    await visit.settled();
    expect(await rowCount(tableOf(page, "Nodes"))).toBe(same);
  });

  it("shows the catalog's resources with what the last run did, and one with its edges", async () => {
    const url = await serverOf("sample");
    const own = `certname = "${FAILED}"`;
    const [resources, events] = await Promise.all([
      rowsOf(url, `resources[type, title]{ ${own} }`),
      rowsOf(url, `events[resource_type, resource_title, status]{ ${own} and latest_report? = true }`),
    ]);
    await using visit = await browse(`${url}/explorer/nodes/${FAILED}/catalog`);
    const { page } = visit;
    const table = tableOf(page, "Resources of the catalog");
    expect(await rowCount(table)).toBe(resources.length);
    const types: Record<string, number> = {};
    for (const type of column(resources, "type")) types[type] = (types[type] ?? 0) + 1;
    const shown = await facetValues(page, "Type");
    expect(shown).toMatchObject(Object.fromEntries(Object.keys(shown).map((type) => [type, types[type]])));
    await facetValue(page, "Last run", "failure").click();
    const failed = events.filter((row) => row["status"] === "failure");
    expect(await cellTexts(table, 0)).toStrictEqual(failed.map(nameOf));
    await table.locator("[data-index='0']").click();
    const pane = page.getByRole("region", { name: "Details of the resource" });
    const [first] = failed;
    const [declared] = await rowsOf(
      url,
      `resources[parameters, file, line]{ ${own} and type = ${JSON.stringify(textOf(first, "resource_type"))} and title = ${JSON.stringify(textOf(first, "resource_title"))} }`,
    );
    const parameters = pane.getByRole("tree", { name: "Parameters" });
    await parameters.waitFor();
    expect((await parameters.locator(".tree-name").allInnerTexts()).sort()).toStrictEqual(
      Object.keys(declared?.["parameters"] as JsonObject).sort(),
    );
    expect(await pane.innerText()).toContain(`${shortFile(textOf(declared, "file"))}:${textOf(declared, "line")}`);
    const edges = await rowsOf(
      url,
      `edges[relationship, source_type, source_title, target_type, target_title]{ ${own} and target_type = ${JSON.stringify(textOf(first, "resource_type"))} and target_title = ${JSON.stringify(textOf(first, "resource_title"))} }`,
    );
    const container = edges.find((row) => row["relationship"] === "contains");
    const link = pane.getByRole("button", {
      name: `${textOf(container, "source_type")}[${textOf(container, "source_title")}]`,
      exact: true,
    });
    await link.click();
    await pane.getByRole("heading", { level: 2, name: textOf(container, "source_title") }).waitFor();
    await page.reload();
    await pane.getByRole("heading", { level: 2, name: textOf(container, "source_title") }).waitFor();
    await page.goBack();
    await pane.getByRole("heading", { level: 2, name: textOf(first, "resource_title") }).waitFor();
  });

  it("lists the reports of the node, and filters them", async () => {
    const url = await serverOf("sample");
    const reports = await rowsOf(url, `reports[hash, status]{ certname = "${FAILED}" order by end_time desc, hash }`);
    await using visit = await browse(`${url}/explorer/nodes/${FAILED}/reports`);
    const { page } = visit;
    const table = tableOf(page, "Reports of the node");
    expect(await rowCount(table)).toBe(reports.length);
    const links = await table
      .locator("[data-column='0'] a")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links.map((link) => link?.split("/").at(-1))).toStrictEqual(column(reports, "hash"));
    await facetValue(page, "Puppet's status", "failed").click();
    await visit.settled();
    expect(await rowCount(table)).toBe(reports.filter((row) => row["status"] === "failed").length);
    await page.getByRole("button", { name: "as table" }).click();
    expect(await page.locator(".chart table tbody tr, .chart-table tbody tr").count()).toBe(reports.length);
  });

  it("says that there is no such node, and no such part", async () => {
    const url = await serverOf("sample");
    await using visit = await browse(`${url}/explorer/nodes/nobody.example`);
    expect(await visit.text()).toContain("No node with the certname nobody.example is stored.");
    await visit.go(`${url}/explorer/nodes/${FAILED}/nothing`);
    expect(await visit.text()).toContain("A node has no part “nothing”.");
  });

  it("and the list of nodes show a node that was deactivated, with its facts", async () => {
    const server = await serveFolder(join(workFolder(), "data"));
    const { url } = server;
    const certname = "gone.example";
    const now = new Date().toISOString();
    await submit(url, "replace facts", 5, certname, {
      certname,
      environment: "production",
      producer_timestamp: now,
      producer: "compiler.example",
      values: { kernel: "Plan9", os: { name: "Plan 9" } },
    });
    await submit(url, "deactivate node", 3, certname, {
      certname,
      producer_timestamp: new Date(Date.now() + 1).toISOString(),
    });
    await expect.poll(async () => countOf(url, 'nodes{ node_state = "inactive" }')).toBe(1);
    const columns = "cols=certname,facts.kernel,factsets.producer_timestamp";
    await using visit = await browse(`${url}/explorer/nodes?nodes=inactive&${columns}`);
    const table = tableOf(visit.page, "Nodes");
    expect([await cellTexts(table, 1), await cellTimes(table, 2)]).toStrictEqual([["Plan9"], [now]]);
    await visit.page.getByRole("link", { name: certname }).click();
    await visit.settled();
    expect(await visit.page.locator(".page-beside").innerText()).toContain("deactivated");
    await visit.page.getByRole("link", { name: "Facts", exact: true }).last().click();
    await visit.settled();
    expect(await visit.page.getByRole("tree", { name: "Facts" }).innerText()).toContain("Plan9");
    await visit.page.getByRole("link", { name: "Catalog", exact: true }).click();
    await visit.settled();
    expect(await visit.text()).toContain("No catalog of this node is stored.");
    await visit.close();
    await server.stop();
  });
});

function nameOf(row: JsonObject): string {
  return `${textOf(row, "resource_type")}[${textOf(row, "resource_title")}]`;
}

async function submit(
  url: string,
  command: string,
  version: number,
  certname: string,
  payload: JsonObject,
): Promise<void> {
  const parameters = new URLSearchParams({ command: command.replaceAll(" ", "_"), version: String(version), certname });
  const response = await fetch(`${url}/pdb/cmd/v1?${parameters}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(payload),
  });
  if (!response.ok) throw new Error(await response.text());
}
