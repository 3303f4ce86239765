import { expect, it } from "vitest";
import { editDistance } from "#storage/edit-distance.ts";

it.each([
  ["", "", 0],
  ["", "abc", 3],
  ["node", "nodes", 1],
  ["nodse", "nodes", 1],
  ["facst", "fact", 1],
  ["reprots", "reports", 1],
  ["ca", "abc", 3],
  ["edges", "events", 4],
])("the distance from %j to %j is %i", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});
