import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { census, SAMPLE, workFolder } from "#test/cli/census.ts";
import type { Running } from "#test/running.ts";
import { column, rowsOf } from "./server-rows.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { serveFolder } from "./serve.ts";
import { cellTexts, tableOf } from "./table.ts";

const folder = workFolder();
const path = join(folder, "queries.yaml");
const failed = 'nodes[certname] { latest_report_status = "failed" order by certname }';

let started: Running | undefined;
afterAll(async () => {
  await started?.stop();
});

/** A server whose setting names a file of saved queries. */
async function server(): Promise<Running> {
  const data = join(folder, "data");
  expect((await census(["import", SAMPLE, "--data", data])).code).toBe(0);
  return serveFolder(data, "--now", "2026-11-20T12:00:00Z", "--explorer-queries", path);
}

describeInBrowser("the saved queries of a site", () => {
  it("are listed before the examples, run as they are, and are those of the file as it is now", async () => {
    writeFileSync(
      path,
      `title: Our site\nqueries:\n  - name: <b>Failed</b>\n    query: ${failed}\n    expect: no rows\n  - { name: SQL, sql: SELECT 1 }\n`,
    );
    started ??= await server();
    const { url } = started;
    await using visit = await browse(`${url}/explorer/query`);
    const { page } = visit;
    const showExamples = async (): Promise<void> => {
      await page.getByRole("button", { name: "Examples", exact: true }).click();
    };
    await showExamples();
    const side = page.locator(".query-side-content");
    await side.getByRole("heading", { name: "Our site" }).waitFor();
    expect((await side.getByRole("heading").allInnerTexts()).slice(0, 2)).toEqual(["Our site", "Nodes"]);
    expect(await side.locator("section").first().getByRole("button").allInnerTexts()).toEqual([
      `<b>Failed</b>\n${failed}`,
    ]);
    await side.getByRole("button", { name: "<b>Failed</b>" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const expected = column(await rowsOf(url, failed), "certname");
    await expect.poll(() => cellTexts(tableOf(page, "Result"), 0)).toEqual(expected);

    writeFileSync(path, "queries:\n  - nam: a\n");
    await page.reload();
    await showExamples();
    const problem =
      'The file of saved queries cannot be used: queries.yaml:2:5: unknown key "nam" of a query; did you mean name?';
    await expect.poll(() => side.getByRole("alert").allInnerTexts()).toEqual([problem]);
  });
});
