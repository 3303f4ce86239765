import { describe, expect, it } from "vitest";
import type { WireCommand } from "../posting.ts";
import { COMMANDS_PER_RUN, largeFleet } from "./large-fleet.ts";

const END = Date.parse("2026-11-26T10:00:00Z");
const HALF_AN_HOUR = 30 * 60_000;

const commandOf = ({ target }: WireCommand): string =>
  new URL(target, "http://census").searchParams.get("command") ?? "";

const used = (text = ""): string | undefined => /"used_bytes":\d+/.exec(text)?.[0];
const release = (text = ""): string | undefined => /release \d+ of/.exec(text)?.[0];

describe("a large fleet", () => {
  it("sends facts, a catalog and a report for every node", () => {
    for (let node = 0; node < 45; node++) {
      const commands = largeFleet.run(node, 0, END);
      expect(commands.map(commandOf)).toEqual(["replace_facts", "replace_catalog", "store_report"]);
      expect(commands).toHaveLength(COMMANDS_PER_RUN);
      expect(new URL(commands[0]?.target ?? "", "http://census").searchParams.get("certname")).toBe(
        largeFleet.certname(node),
      );
    }
  });

  it("has another name for each node", () => {
    const names = Array.from({ length: 2000 }, (_, node) => largeFleet.certname(node));
    expect(new Set(names).size).toBe(names.length);
  });

  it("measures other facts and has another report in each run, and changes one catalog in fifty", () => {
    const nodes = 300;
    let changed = 0;
    for (let node = 0; node < nodes; node++) {
      const [[facts, catalog, report], [nextFacts, nextCatalog, nextReport]] = [1, 2].map((run) =>
        largeFleet.run(node, run, END + run * HALF_AN_HOUR).map(({ body }) => body.toString()),
      ) as [string[], string[]];
      expect(used(facts)).not.toBe(used(nextFacts));
      expect(report).not.toBe(nextReport);
      if (release(catalog) !== release(nextCatalog)) changed++;
    }
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(0.06 * nodes);
  });

  it("sends the report of a run that is over without facts and catalog", () => {
    const [report, ...others] = largeFleet.report(4, -1, END);
    expect(others).toEqual([]);
    expect(report === undefined ? "" : commandOf(report)).toBe("store_report");
    expect(report?.body.toString()).toContain('"producer_timestamp":"2026-11-26T10:00:00.000Z"');
  });
});
