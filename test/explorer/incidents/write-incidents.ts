import { archiveMembers } from "../../../fixtures/archive.ts";
import { makeNode } from "../../../fixtures/node.ts";
import { type FixtureCommand, populationCommands } from "../../../fixtures/population.ts";
import { hasTrait, type Trait } from "../../../fixtures/traits.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";
import { incidents, QUIET_INDEX } from "./incidents.ts";

/** The time of the archive. */
const NOW = "2026-11-20T12:00:00.000Z";
const NODES = 2000;
const SEED = 23;

/** Nodes with these traits have trouble of their own; what is left is what goes wrong now and then in any fleet. */
const TROUBLED: readonly Trait[] = [
  "factsOnly",
  "reportsOnly",
  "silent",
  "deactivated",
  "noPackages",
  "noop",
  "failing",
  "mirrorless",
  "hidden",
  "quiet",
];

/** Writes an archive of 2,000 nodes in which five things have gone wrong. */
export async function writeIncidents(path: string): Promise<void> {
  const commands = [...incidentCommands()];
  const members = archiveMembers(() => commands, { timestamp: NOW });
  await writeArchiveFile(path, eventually(members), { format: "tar.gz", mtime: new Date(NOW) });
}

function* incidentCommands(): Generator<FixtureCommand> {
  const population = { seed: SEED, nodes: NODES, reportsPerNode: 4, factLeaves: 90, resources: 16, baseTime: NOW };
  for (const index of indexes()) {
    const node = makeNode(SEED, index, Date.parse(NOW));
    const commands = [...populationCommands({ ...population, indexes: [index] })];
    const reports = commands.filter(({ command }) => command === "store report");
    for (const { command, payload } of commands) {
      for (const incident of incidents) {
        if (command === "replace facts") incident.facts?.(payload, node);
        if (command === "replace catalog") incident.catalog?.(payload, node);
      }
    }
    for (const [age, { payload }] of reports.toReversed().entries()) {
      for (const incident of incidents) incident.report?.(payload, node, age);
    }
    yield* commands;
  }
}

/** The numbers of the nodes: the first without trouble of their own, and the one that stopped reporting. */
function* indexes(): Generator<number> {
  yield QUIET_INDEX;
  for (let index = 0, found = 1; found < NODES; index++) {
    if (TROUBLED.some((trait) => hasTrait(index, trait))) continue;
    yield index;
    found++;
  }
}

async function* eventually<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}
