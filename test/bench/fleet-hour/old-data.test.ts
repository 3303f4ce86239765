import { describe, expect, it } from "vitest";
import type { WireCommand } from "../posting.ts";
import { oldReports, retiredNodes } from "./old-data.ts";
import { serverSettings } from "./server-settings.ts";

const DAY = 86_400_000;
const MADE = Date.parse("2026-11-26T00:10:00Z");

const parametersOf = ({ target }: WireCommand): URLSearchParams => new URL(target, "http://census").searchParams;
const producedAt = (command: WireCommand): string => parametersOf(command).get("producer-timestamp") ?? "";

/** In seconds. */
function settingOf(settings: readonly string[], name: string): number {
  return Number.parseInt(settings[settings.indexOf(`--${name}`) + 1] ?? "", 10);
}

describe("the reports that are due in the hour", () => {
  it("are those of six days, of a third of the nodes on each", () => {
    const days = Map.groupBy([...oldReports(30, MADE)], (command) => producedAt(command).slice(0, 10));
    expect([...days.keys()]).toEqual([19, 20, 21, 22, 23, 24].map((day) => `2026-11-${day}`));
    for (const reports of days.values()) expect(reports).toHaveLength(10);
  });

  it("are older than the server keeps, however old the store is, and its other reports are not", () => {
    for (const age of [0, 3 * DAY, 20 * DAY]) {
      const now = MADE + age;
      const kept = settingOf(serverSettings({ nodes: 30, minutes: 60 }, { made: MADE }, now), "report-ttl") * 1000;
      // Whole days before that of this time are deleted.
      const limit = new Date(now - kept).toISOString().slice(0, 10);
      expect(limit).toBe("2026-11-25");
      expect([...oldReports(30, MADE)].every((command) => producedAt(command) < limit)).toBe(true);
    }
  });
});

it("deletes nodes that were deactivated before node-purge-ttl", () => {
  const commands = [...retiredNodes(200, MADE)];
  const deactivations = commands.filter((command) => parametersOf(command).get("command") === "deactivate_node");
  expect(deactivations).toHaveLength(150);
  for (const command of deactivations) expect(MADE - Date.parse(producedAt(command))).toBeGreaterThan(14 * DAY);
  const last = commands.filter((command) => !deactivations.includes(command)).map(producedAt);
  expect(
    last
      .toSorted()
      .at(-1)
      ?.localeCompare(deactivations.map(producedAt).toSorted()[0] ?? ""),
  ).toBeLessThan(0);
});

it("runs all maintenance six times in an hour, and expires no node of an old store", () => {
  const settings = serverSettings({ nodes: 30, minutes: 60 }, { made: MADE }, MADE + 10 * DAY);
  expect(settingOf(settings, "gc-interval")).toBe(10);
  expect(settingOf(settings, "gc-interval-fact-paths")).toBe(10);
  expect(settingOf(settings, "node-ttl") * 1000).toBe(17 * DAY);
});
