import { makeNode } from "#fixtures/node.ts";
import { type FixtureCommandName, populationCommands } from "#fixtures/population.ts";
import { hasTrait } from "#fixtures/traits.ts";
import { SEED } from "../population.ts";
import type { WireCommand } from "../posting.ts";
import { NodeRuns } from "./node-runs.ts";

/** When the made-up runs end that all others are moved on from. */
const BASE = "2026-11-20T12:00:00.000Z";

/** The number of leaves in the facts of a node, and of resources in its catalog. */
const SIZE = { factLeaves: 150, resources: 60 };

/** Commands that a node sends in a run. */
export const COMMANDS_PER_RUN = 3;

/** Out of this many nodes of the fixtures, those that lack facts or a catalog are left out. */
const PERIOD = 20;

/** The places in a period of the nodes that have facts, a catalog and reports. */
const complete: readonly number[] = Array.from({ length: PERIOD }, (_, place) => place).filter(
  (place) => !hasTrait(place, "factsOnly") && !hasTrait(place, "reportsOnly"),
);

/**
 * Nodes that each send facts, a catalog and a report in every run. Nothing is kept in memory: the commands of a run are made
 * when they are due, which takes less than a millisecond.
 */
export const largeFleet = {
  /** @param node from 0 */
  certname: (node: number): string => makeNode(SEED, indexOf(node), 0).certname,

  /**
   * What a node sends in a run: facts, catalog and report.
   * @param end when the run ends, ms since the epoch
   */
  run: (node: number, run: number, end: number): WireCommand[] => commandsOf(node, run, end),

  /** The report of a run alone. */
  report: (node: number, run: number, end: number): WireCommand[] => commandsOf(node, run, end, "store report"),
};

function commandsOf(node: number, run: number, end: number, only?: FixtureCommandName): WireCommand[] {
  const index = indexOf(node);
  const options = { nodes: 1, indexes: [index], seed: SEED, reportsPerNode: 1, baseTime: BASE, ...SIZE };
  const commands = [...populationCommands(only === undefined ? options : { ...options, only })];
  return [...new NodeRuns(largeFleet.certname(node), commands, { index }).run(run, end)];
}

/** The number in the fixtures of a node. */
function indexOf(node: number): number {
  const place = complete[node % complete.length] ?? 0;
  return Math.floor(node / complete.length) * PERIOD + place;
}
