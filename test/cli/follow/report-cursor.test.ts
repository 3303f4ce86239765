import { expect, it } from "vitest";
import { ReportCursor } from "#cli/follow/report-cursor.ts";
import { time } from "#test/fixture-store.ts";

const START = Date.parse("2026-11-20T12:00:00.000Z");
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

it("census tail finds each report once in any number of looks, also by those that go back for 15 minutes", async () => {
  const stored: { hash: string; receive_time: string }[] = [];
  const cursor = new ReportCursor(
    (query) => {
      const from = /receive_time >= "([^"]+)"/.exec(query)?.[1] ?? "";
      return Promise.resolve(stored.filter(({ receive_time: received }) => received >= from));
    },
    [],
    time(at(0)),
    (hashes) => Promise.resolve(hashes),
  );
  const found: string[] = [];
  // A report each 20 s and a look every 2 s, for half an hour.
  for (let seconds = 0; seconds < 1800; seconds += 2) {
    if (seconds % 20 === 0) stored.push({ hash: `report ${seconds}`, receive_time: at(seconds) });
    for await (const page of cursor.look()) found.push(...page);
  }
  expect(found).toStrictEqual(stored.map(({ hash }) => hash));
});
