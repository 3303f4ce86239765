import { beforeAll, expect, it } from "vitest";
import { browse, describeInBrowser } from "./browser.ts";
import { csvLines, rows } from "./rows.ts";
import { serverOf } from "./serve.ts";
import { cellTexts, facetValues, rowCount, tableOf } from "./table.ts";

interface SampleEvent {
  readonly certname: string;
  readonly status: string;
  readonly timestamp: string;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly containing_class: string | null;
  readonly message: string | null;
  readonly file: string | null;
  readonly corrective_change: boolean | null;
}

let url: string;
let events: readonly SampleEvent[];

const days = 7;

/** A count as the table shows it. */
function shown(count: number): string {
  return count === 0 ? "–" : String(count);
}

/** What the page shows of each group, computed from all events. */
function groupsOf(chosen: readonly SampleEvent[], text: (event: SampleEvent) => string | null): Map<string, string[]> {
  const groups = Map.groupBy(
    chosen.filter((event) => text(event) !== null),
    (event) => text(event) ?? "",
  );
  return new Map(
    [...groups].map(([name, own]) => {
      const count = (test: (event: SampleEvent) => boolean): string => shown(own.filter(test).length);
      return [
        name,
        [
          String(new Set(own.map(({ certname }) => certname)).size),
          String(own.length),
          count(({ status }) => status === "failure"),
          count(({ status, corrective_change: drift }) => status === "success" && drift !== true),
          count(({ status, corrective_change: drift }) => status === "success" && drift === true),
          count(({ status }) => status === "noop"),
          count(({ status }) => status === "skipped"),
        ],
      ];
    }),
  );
}

const texts = {
  resource: (event) => `${event.resource_type}[${event.resource_title}]`,
  class: (event) => event.containing_class,
  type: (event) => event.resource_type,
  message: (event) => event.message,
  file: (event) => event.file,
} as const satisfies Record<string, (event: SampleEvent) => string | null>;

describeInBrowser("the page of events", () => {
  beforeAll(async () => {
    url = await serverOf("sample");
    const since = new Date(Date.parse("2026-11-20T12:00:00Z") - days * 86_400_000).toISOString();
    events = await rows<SampleEvent>(url, `events{ timestamp >= "${since}" }`);
  });

  it.each(Object.keys(texts) as (keyof typeof texts)[])(
    "counts nodes, events and outcomes of each group as the events say, corrective changes apart from intended ones: %s",
    async (by) => {
      const expected = groupsOf(events, texts[by]);
      await using visit = await browse(`${url}/explorer/events?last=${days}d&by=${by}`);
      const table = tableOf(visit.page, "Groups of events");
      expect(await rowCount(table)).toBe(expected.size);
      const columns = await Promise.all(Array.from({ length: 8 }, async (_, at) => cellTexts(table, at)));
      const [names = [], ...counts] = columns;
      expect(names.length).toBeGreaterThan(5);
      const found = names.map((name, row) => [name, counts.map((column) => column[row])]);
      expect(found).toStrictEqual(names.map((name) => [name, expected.get(name)]));
      const nodes = (counts[0] ?? []).map(Number);
      expect(nodes).toStrictEqual(nodes.toSorted((one, other) => other - one));
    },
  );

  it("counts the events of each node", async () => {
    await using visit = await browse(`${url}/explorer/events?last=${days}d&by=node`);
    const table = tableOf(visit.page, "Groups of events");
    const expected = groupsOf(events, ({ certname }) => certname);
    const [names, counts] = [await cellTexts(table, 0), await cellTexts(table, 1)];
    expect(counts.length).toBeGreaterThan(5);
    expect(counts).toStrictEqual(names.map((name) => expected.get(name)?.[1]));
  });

  it("leads from corrective changes to their resources, to their events and to a report, by the keyboard", async () => {
    const drifted = events.filter(({ status, corrective_change: drift }) => status === "success" && drift === true);
    await using visit = await browse(`${url}/explorer/events?last=${days}d`);
    const { page } = visit;
    await page.getByRole("group").getByRole("button", { name: "Corrective" }).press("Enter");
    const table = tableOf(page, "Groups of events");
    const expected = groupsOf(drifted, texts.resource);
    await expect.poll(async () => rowCount(table)).toBe(expected.size);
    await visit.settled();
    expect(await facetValues(page, "Kind of change")).toMatchObject({ corrective: drifted.length });
    const [first = ""] = await cellTexts(table, 0);

    await table.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/by=event/);
    await visit.settled();
    const list = tableOf(page, "Events");
    const own = drifted.filter((event) => texts.resource(event) === first);
    expect(await rowCount(list)).toBe(own.length);
    expect(new Set(await cellTexts(list, 3))).toStrictEqual(new Set([first]));
    expect((await cellTexts(list, 2)).toSorted()).toStrictEqual(own.map(({ certname }) => certname).toSorted());

    await page.getByRole("button", { name: "Export" }).click();
    const link = await page.getByRole("menuitem", { name: "CSV", exact: true }).getAttribute("href");
    await page.keyboard.press("Escape");
    // Old and new values may have line breaks in them, but these fields have none.
    expect((await csvLines(new URL(link ?? "", url).href)).length).toBe(own.length);

    await list.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/explorer\/reports\/[0-9a-f]{40}/);
    await visit.settled();
    await page.goBack();
    await visit.settled();
    expect(await rowCount(list)).toBe(own.length);
  });

  it("finds events by a part of the node's name, the title or the message, and keeps the text in the address", async () => {
    const needle = "Chrony";
    const expected = events.filter(({ certname, resource_title: title, message }) =>
      [certname, title, message ?? ""].some((text) => text.toLowerCase().includes(needle.toLowerCase())),
    );
    await using visit = await browse(`${url}/explorer/events?last=${days}d&by=event`);
    const { page } = visit;
    await page.keyboard.press("/");
    await page.keyboard.type(needle);
    const list = tableOf(page, "Events");
    expect(expected.length).toBeGreaterThan(0);
    await expect.poll(async () => rowCount(list)).toBe(expected.length);
    await page.reload();
    await visit.settled();
    expect(await rowCount(list)).toBe(expected.length);
  });
});
