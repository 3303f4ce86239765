import { afterEach, expect, it, vi } from "vitest";
import { storedPlace } from "#app/explorer/pages/table/use-virtual-rows.ts";

afterEach(() => vi.unstubAllGlobals());

const place = { key: "nodes by name", top: 4200, row: 150 };

it("the place of a table is that of the same rows in this step of the browser's history", () => {
  vi.stubGlobal("history", { state: { places: { nodes: place } } });
  expect(storedPlace("nodes", "nodes by name")).toStrictEqual(place);
});

it("a table with other rows, and another table, begin at the top", () => {
  vi.stubGlobal("history", { state: { places: { nodes: place } } });
  expect(storedPlace("nodes", "nodes by status")).toBeUndefined();
  expect(storedPlace("reports", "nodes by name")).toBeUndefined();
});

it.each([[null], [{}], [{ places: {} }]])("there is no place in a step with the state %j", (state) => {
  vi.stubGlobal("history", { state });
  expect(storedPlace("nodes", "nodes by name")).toBeUndefined();
});
