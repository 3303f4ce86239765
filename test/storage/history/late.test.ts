import { expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { a, emptyStore, rowsOf } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";

const at = (hour: number): string => `2026-11-20T0${hour}:00:00.000Z`;

function catalog(hour: number, mode: string, transaction: string): ReturnType<typeof a.catalog> {
  const file = { type: "File", title: "/etc/motd", exported: false, tags: [], parameters: { mode } };
  const resources = [{ type: "Class", title: "Main", exported: false, tags: [], parameters: {} }, file];
  return a.catalog("web-01", { producer_timestamp: at(hour), transaction_uuid: transaction, resources, edges: [] });
}

const [first, second, third, fourth] = [1, 2, 3, 4].map((digit) => payloads.UUID.replace(/.$/, String(digit))) as [
  string,
  string,
  string,
  string,
];

function modes(before: string, after: string): object {
  return { before: { parameters: { mode: before } }, after: { parameters: { mode: after } } };
}

it("a late catalog is between its neighbours, with their transactions", async () => {
  const store = await emptyStore();
  await store.submit(catalog(1, "0644", first));
  await store.submit(catalog(3, "0644", third));
  await store.submit(catalog(4, "0600", fourth));
  expect(await store.submit(catalog(2, "0640", second))).toBe("stale");
  const changes = new Map((await rowsOf(store, "resource_changes")).map((row) => [row["from"], row]));
  expect(changes.size).toBe(3);
  expect(changes.get(at(2))).toMatchObject({ ...modes("0644", "0640"), transaction: second });
  // Of a catalog that changed nothing the transaction is not recorded; no report of that run is stored.
  expect(changes.get(at(3))).toMatchObject({ ...modes("0640", "0644"), transaction: null });
  expect(changes.get(at(4))).toMatchObject({ ...modes("0644", "0600"), transaction: fourth });
  expect(await rowsOf(store, "resources", ["=", "type", "File"])).toMatchObject([{ parameters: { mode: "0600" } }]);
  await store.close();
});

it("a document that is older than all that is known of its node becomes the first", async () => {
  const store = await emptyStore();
  const facts = (hour: number, values: JsonObject): ReturnType<typeof a.facts> =>
    a.facts("web-01", { producer_timestamp: at(hour), values });
  await store.submit(facts(2, { kernel: "6", gone: null }));
  await store.submit(facts(1, { kernel: "5", list: [] }));
  const changes = new Map((await rowsOf(store, "fact_changes")).map((row) => [row["what"], row]));
  expect(changes.size).toBe(3);
  expect(changes.get("gone")).toMatchObject({ change: "added", before: null, after: null, from: at(2) });
  expect(changes.get("kernel")).toMatchObject({ change: "changed", before: "5", after: "6", from: at(2) });
  expect(changes.get("list")).toMatchObject({ change: "removed", before: [], after: null, from: at(2) });
  expect(await rowsOf(store, "catalog_changes")).toMatchObject([{ what: "facts", from: at(1) }]);
  await store.close();
});

it("unchanged documents that arrive late, and repeated ones, change nothing", async () => {
  const store = await emptyStore();
  const facts = (hour: number, kernel: string): ReturnType<typeof a.facts> =>
    a.facts("web-01", { producer_timestamp: at(hour), values: { kernel } });
  for (const [hour, kernel] of [
    [1, "5"],
    [4, "6"],
    [3, "6"],
    [2, "5"],
    [1, "5"],
  ] as const) {
    await store.submit(facts(hour, kernel));
  }
  expect(await rowsOf(store, "fact_changes")).toMatchObject([{ before: "5", after: "6", from: at(3) }]);
  await store.close();
});
