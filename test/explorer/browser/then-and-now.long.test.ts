import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json, JsonObject } from "#storage/json.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, type TextSubmission, time } from "#test/fixture-store.ts";
import type { Timed } from "#test/storage/history/random-commands.ts";
import { TimedStore } from "#test/storage/history/timed-store.ts";
import { classResource, edge, fileResource } from "#test/storage/wire/payloads.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { rowCount, tableOf } from "./table.ts";
import type { Visit } from "./visit.ts";

const NODE = "web-01.example.com";
const END = "2026-11-21T12:00:00Z";

function timed(at: string, make: (base: JsonObject) => TextSubmission): Timed {
  return { at, submission: { ...make({ producer_timestamp: at }), received: time(at) } };
}

const facts = (at: string, values: JsonObject, packages: Json): Timed =>
  timed(at, (base) => a.facts(NODE, { ...base, values, package_inventory: packages }));

const catalog = (at: string, files: JsonObject, classes: readonly string[]): Timed =>
  timed(at, (base) =>
    a.catalog(NODE, {
      ...base,
      resources: [
        ...classes.map((title) => classResource({ title })),
        ...Object.entries(files).map(([title, mode]) => fileResource({ title, parameters: { mode } })),
      ],
      edges: Object.keys(files).map((title) => edge({ target: { type: "File", title } })),
    }),
  );

const report = (at: string, transaction: string): Timed =>
  timed(at, (base) =>
    a.report(NODE, { ...base, start_time: at, end_time: at, transaction_uuid: transaction, resources: [] }),
  );

const first = { kernel: "5.10", role: "web" };
const [openssl, vim] = [
  ["openssl", "3.0.11", "apt"],
  ["vim", "9.0", "apt"],
];

/** Two days ago all is stored first, and in the evening a fact is added; yesterday at 14:00 much changes. */
const commands: readonly Timed[] = [
  facts("2026-11-19T08:00:00.000Z", first, [openssl, vim]),
  catalog("2026-11-19T08:00:01.000Z", { "/etc/a": "0644", "/etc/b": "0644" }, ["Main"]),
  report("2026-11-19T08:00:02.000Z", "96c9b1ac-3ff5-4e85-ba80-000000000001"),
  facts("2026-11-19T20:00:00.000Z", { ...first, site: "eu" }, [openssl, vim]),
  report("2026-11-19T20:00:02.000Z", "96c9b1ac-3ff5-4e85-ba80-000000000002"),
  facts("2026-11-20T14:00:00.000Z", { kernel: "6.1", site: "eu", tier: "gold" }, [
    ["openssl", "3.0.14", "apt"],
    vim,
    ["jq", "1.6", "apt"],
  ]),
  catalog("2026-11-20T14:00:01.000Z", { "/etc/a": "0600", "/etc/c": "0644" }, ["Main", "Ntp"]),
  report("2026-11-20T14:00:02.000Z", "96c9b1ac-3ff5-4e85-ba80-000000000003"),
];

/** Of yesterday, by kind. */
const YESTERDAY =
  "3 facts (1 added, 1 changed, 1 removed), 2 packages (1 added, 1 changed), 4 resources (2 added, 1 changed, 1 removed)";

let served: Served;

const changes = (page: Page) => page.getByRole("region", { name: "Changes", exact: true });
const range = (page: Page) => page.getByRole("combobox", { name: "Time range" });
const parameters = (visit: Visit): Record<string, string> => Object.fromEntries(new URL(visit.page.url()).searchParams);

/** The parts of the comparison with their numbers of differences. */
async function parts(visit: Visit): Promise<string[]> {
  await visit.settled();
  return visit.page.getByRole("navigation", { name: "Parts of the comparison" }).getByRole("link").allInnerTexts();
}

/** What differs in a part: the name, then, and now. */
async function differences(visit: Visit, part: string): Promise<string[][]> {
  return visit.page
    .getByRole("table", { name: part })
    .locator("tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim().replaceAll('"', ""))),
    );
}

describeInBrowser("a node then and now", () => {
  beforeAll(async () => {
    const stored = await TimedStore.open();
    await stored.goOn(commands, time(END));
    served = await serve(stored.store, { source: { kind: "data", name: "data" } });
  });
  afterAll(async () => served.close());

  it("says what changed since yesterday, and leads to the node as it was compared with the node as it is", async () => {
    await using visit = await browse(`${served.url}/explorer/nodes/${NODE}`);
    const { page } = visit;
    expect(await changes(page).innerText()).toContain(`Changed in the last 24 hours: ${YESTERDAY}`);
    const times = changes(page).locator("summary time");
    const days = async (): Promise<string[]> =>
      times.evaluateAll((all) => all.map((each) => (each as HTMLTimeElement).dateTime.slice(0, 10)));
    expect(new Set(await days())).toStrictEqual(new Set(["2026-11-20"]));
    await changes(page)
      .getByRole("button", { name: /^Show \d+ runs with changes/ })
      .press("Enter");
    expect(new Set(await days())).toStrictEqual(new Set(["2026-11-20", "2026-11-19"]));

    await changes(page).getByRole("link", { name: "Compare with 20 Nov 2026, 12:00" }).press("Enter");
    await page.waitForURL(/\/explorer\/compare/);
    expect(await parts(visit)).toStrictEqual(["Facts (3)", "Resources (4)", "Edges (2)", "Packages (2)"]);
    expect(parameters(visit)).toStrictEqual({ left: NODE, right: NODE, left_at: "2026-11-20T12:00:00Z" });
    expect(await differences(visit, "Facts")).toStrictEqual([
      ["Name", "20 Nov 2026, 12:00", "now"],
      ["kernel", "5.10", "6.1"],
      ["role", "web", "none"],
      ["tier", "none", "gold"],
    ]);
    await page.getByRole("link", { name: "Packages (2)" }).press("Enter");
    await visit.settled();
    expect((await differences(visit, "Packages")).slice(1)).toStrictEqual([
      ["jq (apt)", "none", "1.6"],
      ["openssl (apt)", "3.0.11", "3.0.14"],
    ]);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => changes(page).count()).toBe(1);
  });

  it("is compared at times that are typed, on both sides, which swap", async () => {
    const address = new URLSearchParams({ left: NODE, right: NODE }).toString();
    await using visit = await browse(`${served.url}/explorer/compare?${address}`);
    const { page } = visit;
    expect(await parts(visit)).toStrictEqual(["Facts (0)", "Resources (0)", "Edges (0)", "Packages (0)"]);
    const then = page.getByRole("combobox", { name: "Node, at the time" });
    await then.fill("2027-01-01");
    await then.press("Enter");
    expect(await page.getByRole("alert").innerText()).toBe("01 Jan 2027, 00:00 is in the future.");
    await then.fill("2026-11-19 12:00");
    await then.press("Enter");
    expect(await parts(visit)).toStrictEqual(["Facts (4)", "Resources (4)", "Edges (2)", "Packages (2)"]);
    const later = page.getByRole("combobox", { name: "compared with, at the time" });
    await later.fill("yesterday");
    await later.press("Enter");
    expect(await parts(visit)).toStrictEqual(["Facts (1)", "Resources (0)", "Edges (0)", "Packages (0)"]);
    expect(await differences(visit, "Facts")).toStrictEqual([
      ["Name", "19 Nov 2026, 12:00", "20 Nov 2026, 00:00"],
      ["site", "none", "eu"],
    ]);
    await page.getByRole("button", { name: "Swap" }).click();
    await visit.settled();
    expect(parameters(visit)).toMatchObject({ left_at: "2026-11-20T00:00:00Z", right_at: "2026-11-19T12:00:00Z" });
    expect((await differences(visit, "Facts")).slice(1)).toStrictEqual([["site", "eu", "none"]]);
  });

  it("was not there before it was first stored", async () => {
    // Another node is what the history begins with.
    const address = new URLSearchParams({ left: "web-02.example.com", right: NODE, left_at: "2026-11-20T12:00:00Z" });
    await using visit = await browse(`${served.url}/explorer/compare?${address.toString()}`);
    expect(await visit.text()).toContain(
      "No node with the certname web-02.example.com was stored at 20 Nov 2026, 12:00.",
    );
  });

  it("shows a range that is typed, which the address has, until one goes back", async () => {
    await using visit = await browse(`${served.url}/explorer/nodes/${NODE}`);
    const { page } = visit;
    await page.keyboard.press("t");
    await page.keyboard.type("2026-11-19 18:00–22:00");
    await page.keyboard.press("Enter");
    await visit.settled();
    expect(parameters(visit)).toStrictEqual({ from: "2026-11-19T18:00:00Z", to: "2026-11-19T22:00:00Z" });
    expect(await changes(page).innerText()).toContain("Changed in the chosen range: 1 fact (1 added)");
    expect(await range(page).inputValue()).toBe("2026-11-19 18:00 – 22:00");
    await visit.go(page.url());
    expect(await changes(page).innerText()).toContain("Changed in the chosen range: 1 fact (1 added)");

    await range(page).fill("2026-11-18");
    await page.keyboard.press("Enter");
    await visit.settled();
    expect(await changes(page).innerText()).toContain(
      "No changes of this node are recorded before 19 Nov 2026, 00:00.",
    );
    await page.goBack();
    await visit.settled();
    expect(await range(page).inputValue()).toBe("2026-11-19 18:00 – 22:00");
  });

  it("limits the reports to a range that is typed or chosen, and says what a range is", async () => {
    await using visit = await browse(`${served.url}/explorer/reports`);
    const { page } = visit;
    const reports = tableOf(page, "Reports");
    expect(await rowCount(reports)).toBe(1);
    for (const [text, count, address] of [
      ["2026-11-19", 2, { from: "2026-11-19T00:00:00Z", to: "2026-11-20T00:00:00Z" }],
      ["last 3 days", 3, { last: "3d" }],
      ["yesterday 02:00–04:00", 0, { from: "2026-11-20T02:00:00Z", to: "2026-11-20T04:00:00Z" }],
    ] as const) {
      await range(page).fill(text);
      await range(page).press("Enter");
      await visit.settled();
      expect({ text, count: await rowCount(reports), address: parameters(visit) }).toStrictEqual({
        text,
        count,
        address,
      });
    }
    await range(page).fill("two nights ago");
    await range(page).press("Enter");
    expect(await page.getByRole("alert").innerText()).toMatch(/^Write a range .*yesterday 02:00–04:00.*last 3 days/);
    await range(page).press("Escape");
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await range(page).inputValue()).toBe("2026-11-20 02:00 – 04:00");
    await range(page).click();
    await page.getByRole("option", { name: "last 7 days" }).click();
    await visit.settled();
    expect(await rowCount(reports)).toBe(3);
  });

  it.each(["light", "dark"] as const)("has no findings of axe, and fits on narrow windows (%s)", async (theme) => {
    const address = new URLSearchParams({ left: NODE, right: NODE, left_at: "2026-11-20T12:00:00Z" }).toString();
    await using visit = await browse(`${served.url}/explorer/compare?${address}`, { theme });
    const { page } = visit;
    expect(await visit.accessibilityFindings()).toStrictEqual([]);
    for (const width of [390, 320]) {
      await visit.appear({ theme, width });
      await range(page).fill("soon");
      await range(page).press("Enter");
      await page.getByRole("alert").waitFor();
      expect(await visit.overflow()).toMatchObject({ pixels: 0 });
      await range(page).press("Escape");
    }
    await expect.poll(() => visit.unreadable()).toStrictEqual([]);
  });
});
