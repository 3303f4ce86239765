import { describe, expect, it } from "vitest";
import type { PopulationCommand } from "#test/conformance/population.ts";
import { coldAndWarm } from "./warm-up.ts";
import type { Work } from "./work.ts";

function workOf(nodes: number): Work {
  const commands = Array.from({ length: nodes }, (_, index): PopulationCommand => {
    const certname = `node-${index}.example.com`;
    return { command: "replace_facts", version: "5", certname, payload: JSON.stringify({ certname, content: index }) };
  });
  return { commands, stored: { entity: "factsets", count: nodes } };
}

/** What is in a document besides the name of its node. */
function contentsOf({ commands }: Work): Set<number> {
  return new Set(commands.map(({ payload }) => (JSON.parse(payload) as { content: number }).content));
}

describe("work for a server that has just started", () => {
  it.each([
    [1000, 300],
    [900, 300],
    [101, 50],
  ])("of %i documents has %i before the warm-up and as many others after it", (nodes, measured) => {
    const { cold, warmUps, warm } = coldAndWarm("facts", workOf(nodes));
    expect(cold.commands).toHaveLength(measured);
    expect(warm.commands).toHaveLength(measured);
    const before = new Set([cold, ...warmUps].flatMap((work) => [...contentsOf(work)]));
    expect([...contentsOf(warm)].filter((content) => before.has(content))).toEqual([]);
    expect(warmUps.length).toBeGreaterThan(1);
  });

  it("counts what is stored after each part: each document is of another node", () => {
    const { cold, warmUps, warm } = coldAndWarm("facts", workOf(1000));
    const nodes = new Set<string>();
    for (const { commands, stored } of [cold, ...warmUps, warm]) {
      for (const { certname } of commands) nodes.add(certname);
      expect(stored.count).toBe(nodes.size);
    }
  });
});
