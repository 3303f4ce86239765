import { type FixtureCommand, populationCommands } from "#fixtures/population.ts";
import { SEED } from "../population.ts";
import type { WireCommand } from "../posting.ts";
import { NodeRuns, RUN_INTERVAL } from "./node-runs.ts";

/** When the fleet's first half hour begins. */
const BEGIN = Date.parse("2026-11-20T12:00:00Z");

/** Nodes that report every half hour, spread evenly over it. */
export class Fleet {
  readonly certnames: readonly string[];
  readonly #nodes: readonly NodeRuns[];

  /** @param changesAll whether every fact set and every catalog has a change that history records */
  constructor(nodes: number, { changesAll = false } = {}) {
    const options = { nodes, seed: SEED, reportsPerNode: 1, baseTime: new Date(BEGIN).toISOString() };
    const commands = populationCommands({ ...options, factLeaves: 150, resources: 60 });
    const byNode = new Map<string, FixtureCommand[]>();
    for (const command of commands) {
      const own = byNode.get(command.certname) ?? [];
      byNode.set(command.certname, [...own, command]);
    }
    this.#nodes = [...byNode].map(([certname, own], index) => new NodeRuns(certname, own, { index, changesAll }));
    this.certnames = [...byNode.keys()];
  }

  /** What all nodes send in their n-th half hour, from 0. */
  *run(number: number): Generator<WireCommand> {
    const begin = BEGIN + number * RUN_INTERVAL;
    for (const [index, node] of this.#nodes.entries()) {
      yield* node.run(number, begin + Math.floor((index * RUN_INTERVAL) / this.#nodes.length));
    }
  }

  /** When the n-th half hour is over, ms since the epoch. */
  endOf(number: number): number {
    return BEGIN + (number + 1) * RUN_INTERVAL;
  }
}
