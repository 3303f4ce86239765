import { afterAll, beforeAll, expect, it } from "vitest";
import { startService } from "#app/service.ts";
import { Store } from "#storage/store.ts";
import { fixedClock, formatTimestamp } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { NOW, population, submitted } from "#test/fixture-store.ts";
import type { BareInput, BareOutput } from "./children/bare.ts";
import { startChild } from "./child.ts";

/** A list, one with a count of all rows, an aggregate, and one whose rows Census keeps in memory. */
const targets = [
  "/pdb/query/v4/nodes",
  "/pdb/query/v4/nodes?order_by=[{%22field%22:%22certname%22}]&limit=2&include_total=true",
  "/pdb/query/v4?query=nodes[latest_report_status,%20count()]{%20group%20by%20latest_report_status%20}",
  "/pdb/query/v4/facts/kernel",
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const expected = new Map<string, unknown>();

beforeAll(async () => {
  folder = await temporaryFolder();
  const store = await Store.open({ directory: folder.path, clock: fixedClock(NOW) });
  await submitted(store, ...population);
  const service = await startService({ store });
  for (const target of targets) expected.set(target, await rowsOf(service.url + target));
  await service.close();
  await store.close();
});
afterAll(() => folder[Symbol.asyncDispose]());

async function rowsOf(url: string): Promise<unknown> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.json();
}

it("returns the rows that Census returns", async () => {
  const input: BareInput = { directory: folder.path, now: formatTimestamp(NOW), targets };
  const bare = await startChild<BareOutput>("bare", input, false);
  const returned = new Map<string, unknown>();
  for (const target of targets) returned.set(target, await rowsOf(bare.value.url + target));
  await bare.close();
  expect(returned).toEqual(expected);
});
