import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { census, SAMPLE, workFolder } from "#test/cli/census.ts";
import type { Running } from "#test/running.ts";
import { column, rowsOf, textOf } from "./server-rows.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serveFolder } from "./serve.ts";
import { cellTexts, tableOf } from "./table.ts";

const folder = workFolder();
const path = join(folder, "site.yaml");
const failed = 'nodes[certname] { latest_report_status = "failed" order by certname }';

const file = `title: Our <b>site</b>
queries:
  - name: <b>Failed</b>
    query: ${failed}
    expect: no rows
  - { name: Statuses, sql: SELECT status FROM reports GROUP BY ALL ORDER BY 1 }
  - { name: Nodes by kernel, query: 'facts[value, count()]{ name = "kernel" group by value }', panel: bars }
  - { name: Reports, query: "reports[count()]{}", panel: number }
views:
  - { name: <i>Failed nodes</i>, address: /explorer/nodes?f=latest_report_status%3D%22failed%22 }
links:
  - { label: <u>CMDB</u>, on: node, url: "https://cmdb.example.com/{environment}?host={certname}" }
  - { label: Code, on: report, url: "https://git.example.com/{code_id}" }
  - { label: Line, on: code, url: "https://git.example.com/{environment}/{path}#L{line}" }
`;

let server: Running;
let url: string;

describeInBrowser("what a site shares", () => {
  beforeAll(async () => {
    const data = join(folder, "data");
    await census(["import", SAMPLE, "--data", data]);
    writeFileSync(path, file);
    const settings = ["--explorer-site", path, "--explorer-sql"];
    server = await serveFolder(data, "--now", "2026-11-20T12:00:00Z", ...settings);
    ({ url } = server);
  });
  afterAll(async () => {
    await server.stop();
  });

  it("has queries, listed before the examples, that run as they are, SQL too", async () => {
    writeFileSync(path, file);
    await using visit = await browse(`${url}/explorer/query`);
    const { page } = visit;
    await page.getByRole("button", { name: "Examples", exact: true }).click();
    const side = page.locator(".query-side-content");
    await side.getByRole("heading", { name: "Our <b>site</b>" }).waitFor();
    expect((await side.getByRole("heading").allInnerTexts()).slice(0, 2)).toEqual(["Our <b>site</b>", "Nodes"]);
    await side.getByRole("button", { name: "<b>Failed</b>" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const expected = column(await rowsOf(url, failed), "certname");
    await expect.poll(() => cellTexts(tableOf(page, "Result"), 0)).toEqual(expected);
    await side.getByRole("button", { name: "Statuses" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect.poll(() => cellTexts(tableOf(page, "Result"), 0)).toEqual(["changed", "failed", "unchanged"]);
  });

  it("has views, in the menu of every page", async () => {
    writeFileSync(path, file);
    await using visit = await browse(`${url}/explorer/status`);
    const { page } = visit;
    const views = page.getByRole("navigation", { name: "Pages" }).getByRole("region", { name: "Our <b>site</b>" });
    await views.getByRole("link", { name: "<i>Failed nodes</i>" }).click();
    await page.waitForURL("**/explorer/nodes?f=*");
    await visit.settled();
    const expected = column(await rowsOf(url, failed), "certname");
    expect(await cellTexts(tableOf(page, "Nodes"), 0)).toEqual(expected);
  });

  it("has panels of its queries on the overview and the wall, which lead to the query", async () => {
    writeFileSync(path, file);
    const kernels = await rowsOf(url, 'facts[value, count()]{ name = "kernel" group by value }');
    const [reports] = await rowsOf(url, "reports[count()]{}");
    await using visit = await browse(`${url}/explorer/wall`);
    for (const address of ["wall", ""]) {
      await visit.go(`${url}/explorer/${address}`);
      const panel = visit.page.getByRole("region", { name: "Nodes by kernel" });
      await panel.getByText(textOf(kernels[0], "value")).waitFor();
      for (const kernel of kernels) {
        expect(await panel.innerText()).toContain(textOf(kernel, "value"));
        expect(await panel.innerText()).toContain(Number(kernel["count"]).toLocaleString("en"));
      }
      const number = visit.page.getByRole("region", { name: "Reports", exact: true }).locator(".site-number");
      expect(await number.innerText()).toBe(JSON.stringify(reports?.["count"]));
    }
    await visit.page.getByRole("region", { name: "Nodes by kernel" }).getByRole("link", { name: "Query" }).click();
    await visit.page.getByRole("heading", { name: "Query", level: 1 }).waitFor();
  });

  it("has links, with the names of the node or the report", async () => {
    writeFileSync(path, file);
    const [report] = await rowsOf(
      url,
      "reports[certname, environment, hash, code_id]{ latest_report? = true and code_id is not null limit 1 }",
    );
    const [certname, environment, hash, code] = ["certname", "environment", "hash", "code_id"].map((name) =>
      textOf(report, name),
    );
    await using visit = await browse(`${url}/explorer/nodes/${certname}`);
    const cmdb = visit.page.getByRole("link", { name: "<u>CMDB</u>" });
    expect(await cmdb.getAttribute("href")).toBe(`https://cmdb.example.com/${environment}?host=${certname}`);
    await visit.go(`${url}/explorer/reports/${hash}`);
    const git = visit.page.getByRole("link", { name: "Code", exact: false }).filter({ hasText: "↗" });
    expect(await git.getAttribute("href")).toBe(`https://git.example.com/${code}`);
  });

  it("has links from places of code to the repository", async () => {
    writeFileSync(path, file);
    const inEnvironment = 'status = "failure" and file ~ "/environments/production/" and line > 0';
    const [event] = await rowsOf(url, `events[report, file, line]{ ${inEnvironment} order by report limit 1 }`);
    const [report, code, line] = ["report", "file", "line"].map((name) => textOf(event, name));
    await using visit = await browse(`${url}/explorer/reports/${report}`);
    const place = visit.page.getByRole("link", { name: `init.pp:${line}`, exact: false }).first();
    const [, inside] = (code ?? "").split("/environments/");
    expect(await place.getAttribute("href")).toBe(`https://git.example.com/${inside}#L${line}`);
  });

  it("is shown as wrong with its place, in the menu and in the workbench", async () => {
    writeFileSync(path, "queries:\n  - nam: a\n");
    await using visit = await browse(`${url}/explorer/query`);
    const { page } = visit;
    const problem = 'site.yaml:2:5: unknown key "nam" of a query; did you mean name?';
    const menu = page.getByRole("navigation", { name: "Pages" });
    expect(await menu.getByRole("alert").innerText()).toBe(`The file of the site cannot be used: ${problem}`);
    await page.getByRole("button", { name: "Examples", exact: true }).click();
    const side = page.locator(".query-side-content");
    await expect
      .poll(() => side.getByRole("alert").allInnerTexts())
      .toEqual([`The file of saved queries cannot be used: ${problem}`]);
  });

  it.each(["light", "dark"] as const)("breaks no rule of accessibility in the %s theme", async (theme) => {
    writeFileSync(path, file);
    const [node] = await rowsOf(url, "nodes[certname]{ limit 1 }");
    await using visit = await browse(`${url}/explorer/nodes/${textOf(node, "certname")}/facts`, { theme });
    for (const width of [1280, 320]) {
      await visit.appear({ theme, width });
      await visit.settled();
      const { pixels } = await visit.overflow();
      const findings = await visit.accessibilityFindings();
      const [unreadable, indistinct] = [await visit.unreadable(), await visit.indistinct()];
      expect({ width, pixels, findings, unreadable, indistinct }).toEqual({
        width,
        pixels: 0,
        findings: [],
        unreadable: [],
        indistinct: [],
      });
    }
  });
});
