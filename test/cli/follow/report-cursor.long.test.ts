import { describe, expect, it } from "vitest";
import { ReportCursor } from "#cli/follow/report-cursor.ts";
import type { JsonObject } from "#storage/json.ts";
import { time } from "#test/fixture-store.ts";

interface Stored {
  readonly hash: string;
  readonly receive_time: string;
}

const START = "2026-11-20T12:00:00.000Z";

/** A server of which only what the cursor queries is there: a lower bound of the time, an order, a limit. */
function reportsOf(stored: Stored[], begins: () => void = () => undefined) {
  const queries: string[] = [];
  const readRows = (query: string): Promise<JsonObject[]> => {
    begins();
    queries.push(query);
    const from = /receive_time >= "([^"]+)"/.exec(query)?.[1] ?? "";
    const limit = Number(/limit (\d+)/.exec(query)?.[1] ?? Infinity);
    const found = stored
      .filter(({ receive_time: at }) => at >= from)
      .toSorted((x, y) => (x.receive_time < y.receive_time ? -1 : 1));
    const rows = query.includes("desc") ? found.toReversed() : found;
    return Promise.resolve(rows.slice(0, limit).map((row) => ({ ...row })));
  };
  const cursor = new ReportCursor(readRows, [], time(START), (hashes) => Promise.resolve(hashes));
  const look = async (): Promise<string[]> => (await Array.fromAsync(cursor.look())).flat();
  return { cursor, look, queries };
}

const at = (seconds: number): string => new Date(Date.parse(START) + seconds * 1000).toISOString();
const many = (name: string, count: number, seconds: number): Stored[] =>
  Array.from({ length: count }, (_, index) => ({ hash: `${name}${index}`, receive_time: at(seconds) }));

describe("the cursor over reports", () => {
  it("returns each report once, also if thousands arrive at one instant and between two queries", async () => {
    const stored = many("old", 300, -10);
    const { cursor, look } = reportsOf(stored);
    expect((await cursor.skipTo(0)).flat()).toEqual([]);
    stored.push(...many("a", 1500, 5));
    const first = await look();
    expect(first).toEqual(many("a", 1500, 5).map(({ hash }) => hash));
    // At the same instant, but visible later.
    stored.push(...many("b", 700, 5));
    expect(new Set(await look())).toEqual(new Set(many("b", 700, 5).map(({ hash }) => hash)));
    expect(await look()).toEqual([]);
  });

  it("returns reports that become visible after later ones", async () => {
    const stored: Stored[] = [];
    const { cursor, look } = reportsOf(stored);
    await cursor.skipTo(0);
    stored.push({ hash: "late", receive_time: at(100) });
    expect(await look()).toEqual(["late"]);
    stored.push({ hash: "early", receive_time: at(45) });
    expect(await look()).toEqual(["early"]);
    // Minutes before: a command that failed at first. Found by one of the next looks that go further back.
    stored.push({ hash: "postponed", receive_time: at(-600) });
    const found: string[] = [];
    for (let looks = 0; looks < 30; looks++) found.push(...(await look()));
    expect(found).toEqual(["postponed"]);
  });

  it("begins with the last reports, and misses none that arrives meanwhile", async () => {
    const stored = many("old", 5, -10);
    let queries = 0;
    const { cursor, look } = reportsOf(stored, () => {
      // After the first query, before the second.
      if (++queries === 2) stored.push(...many("new", 4, 1));
    });
    const last = (await cursor.skipTo(2)).flat();
    expect(last).toEqual(["new2", "new3"]);
    expect((await look()).toSorted()).toEqual(["new0", "new1"]);
    expect(await look()).toEqual([]);
  });

  it("can begin at a given time", async () => {
    const stored = [...many("old", 3, -100), ...many("then", 3, -50)];
    const { cursor, look } = reportsOf(stored);
    cursor.beginAt(time(at(-60)));
    expect(await look()).toEqual(["then0", "then1", "then2"]);
    stored.push(...many("older", 3, -70), ...many("now", 1, 0));
    expect(await look()).toEqual(["now0"]);
  });
});
