import { afterEach, expect, it } from "vitest";
import type { DataRequest, DataResponse } from "#app/explorer/pages/data/fetch-json.ts";
import { forgetResponses, keepResponse, keptResponse } from "#app/explorer/pages/data/load.ts";

const MEGABYTE = 1_000_000;

const request = (name: string): DataRequest => ({ path: `/${name}` });
const response = (size: number): DataResponse => ({ value: null, size, total: undefined, ms: 1, age: undefined });
const kept = (names: readonly string[]): string[] => names.filter((name) => keptResponse(request(name)) !== undefined);

afterEach(forgetResponses);

it("the cache of responses keeps the newest that fit, however many were kept and forgotten before", () => {
  const names = Array.from({ length: 100 }, (_, index) => `rows-${index}`);
  for (const name of names) keepResponse(request(name), response(MEGABYTE));
  expect(kept(names)).toStrictEqual(names.slice(-5));
});

it("the cache of responses counts a response that is kept again once", () => {
  for (let time = 0; time < 50; time++) keepResponse(request("again"), response(MEGABYTE));
  for (const name of ["a", "b", "c", "d"]) keepResponse(request(name), response(MEGABYTE));
  expect(kept(["again", "a", "b", "c", "d"])).toHaveLength(5);
});

it("the cache of responses is empty after the data have changed, and has all its space again", () => {
  for (const name of ["a", "b", "c", "d", "e"]) keepResponse(request(name), response(MEGABYTE));
  forgetResponses();
  expect(kept(["a", "b", "c", "d", "e"])).toStrictEqual([]);
  for (const name of ["v", "w", "x", "y", "z"]) keepResponse(request(name), response(MEGABYTE));
  expect(kept(["v", "w", "x", "y", "z"])).toHaveLength(5);
});

it("the cache of responses keeps one that is larger than its space, alone", () => {
  keepResponse(request("small"), response(1));
  keepResponse(request("large"), response(10 * MEGABYTE));
  expect(kept(["small", "large"])).toStrictEqual(["large"]);
});
