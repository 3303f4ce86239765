import { expect, it } from "vitest";
import { isChosen } from "./scenario.ts";

it.each([
  ["", "query/nodes", undefined, true],
  ["^fleet", "fleet-day", undefined, true],
  ["^query", "fleet-day", undefined, false],
  ["", "fleet-hour", true, false],
  ["^fleet", "fleet-hour", true, false],
  ["^fleet-hour$", "fleet-hour", true, true],
  ["fleet-day|fleet-hour", "fleet-hour", true, true],
  ["^fleet-hour$", "fleet-day", undefined, false],
] as const)("--only %j on %s, which is long: %j, chooses it: %j", (only, name, isLong, chosen) => {
  expect(isChosen(isLong === true ? { name, isLong } : { name }, new RegExp(only))).toBe(chosen);
});
