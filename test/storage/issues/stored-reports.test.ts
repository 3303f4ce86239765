import { expect, it } from "vitest";
import type { Issue } from "#storage/issues/issue.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, NOW } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";

const now = Number(NOW / 1000n);
const DAY = 86_400_000;

async function issuesOf(store: Store): Promise<readonly Issue[]> {
  const all = { nodes: { pql: "nodes{}" }, filter: {}, order: "last", limit: 1000 } as const;
  return (await store.issues.list({ ...all, from: now - 9 * DAY, to: now + DAY, now })).issues;
}

function report(certname: string, hour: number, logs: object[]): Parameters<Store["submit"]>[0] {
  const at = new Date(now - hour * 3_600_000).toISOString();
  const isFailed = hour % 2 === 0;
  const events = isFailed
    ? [payloads.event({ timestamp: at, status: "failure", message: `no such user ${hour}` })]
    : [];
  const changes = { producer_timestamp: at, start_time: at, end_time: at, status: isFailed ? "failed" : "unchanged" };
  return a.report(certname, { ...changes, logs, resources: [payloads.reportResource({ events })] } as never);
}

it("a store of an older version gets the failures of its reports, also after an interruption", async () => {
  await using folder = await temporaryFolder();
  const options = { directory: folder.path, clock: fixedClock(NOW) };
  const before = await Store.open(options);
  for (let hour = 1; hour <= 20; hour++) {
    const line = {
      level: "err",
      message: "the clock is wrong",
      source: "Puppet",
      tags: [],
      time: "2026-11-20T12:00:00Z",
    };
    await before.submit(report(`web-${hour % 3}`, hour, hour % 5 === 0 ? [{ ...line, file: null, line: null }] : []));
  }
  const expected = await issuesOf(before);
  expect(expected.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["resource", "run", "warning"]));
  await before.close();

  for (const left of ["DROP TABLE failures; DROP TABLE issues", "DELETE FROM failures WHERE report_id > 9"]) {
    const database = await openDatabase(options);
    await database.execute(
      `DELETE FROM schema_migrations WHERE version >= 16; ALTER TABLE nodes DROP COLUMN report_interval; ${left}`,
    );
    await database.close();
    const after = await Store.open(options);
    expect(await issuesOf(after)).toEqual(expected);
    await after.close();
  }
});
