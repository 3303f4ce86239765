import { makeNode } from "#fixtures/node.ts";
import { COMMAND_VERSIONS, type FixtureCommandName, populationCommands } from "#fixtures/population.ts";
import { type JsonObject, stringifyJson } from "#storage/json.ts";
import type { PopulationCommand } from "#test/conformance/population.ts";
import type { Work } from "../peer/work.ts";
import { populationOf, SEED } from "../population.ts";
import { largeReport } from "./large-report.ts";

/** What is sent, by the name in the table. */
export const documentKinds = ["catalogs", "reports", "facts"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** They make catalogs of 0.64 MB, reports of 4.5 MB and fact sets of 0.2 MB. */
const CATALOG_RESOURCES = 1000;
const REPORT_RESOURCES = 10_000;
const FACT_VALUES = 8000;

/** Nodes that are made for each document: one in ten has none of a kind. */
const SPARE = 1.2;

interface Kind {
  readonly entity: string;
  readonly command: FixtureCommandName;
  /** The document of each of these nodes, as far as they have one. */
  readonly payloads: (indexes: readonly number[]) => Iterable<JsonObject>;
}

const { baseTime } = populationOf(1);

const kinds: Readonly<Record<DocumentKind, Kind>> = {
  catalogs: {
    entity: "catalogs",
    command: "replace catalog",
    payloads: (indexes) => fixturePayloads(indexes, { only: "replace catalog", resources: CATALOG_RESOURCES }),
  },
  reports: {
    entity: "reports",
    command: "store report",
    payloads: (indexes) => reportPayloads(indexes),
  },
  facts: {
    entity: "factsets",
    command: "replace facts",
    payloads: (indexes) => fixturePayloads(indexes, { only: "replace facts", factLeaves: FACT_VALUES }),
  },
};

/**
 * Large documents, each of another node.
 * @param from the number of the first node
 */
export function largeDocuments(name: DocumentKind, from: number, count: number): Work {
  const { entity, command, payloads } = kinds[name];
  const indexes = Array.from({ length: Math.ceil(count * SPARE) }, (_, index) => from + index);
  const commands: PopulationCommand[] = [];
  for (const payload of payloads(indexes)) {
    if (commands.push(commandOf(command, payload)) === count) break;
  }
  return { commands, stored: { entity, count: commands.length } };
}

function* fixturePayloads(
  indexes: readonly number[],
  options: { readonly only: FixtureCommandName; readonly resources?: number; readonly factLeaves?: number },
): Generator<JsonObject> {
  const population = { nodes: indexes.length, indexes, seed: SEED, reportsPerNode: 1, baseTime };
  for (const { payload } of populationCommands({ ...population, ...options })) yield payload;
}

function* reportPayloads(indexes: readonly number[]): Generator<JsonObject> {
  const now = Date.parse(baseTime);
  for (const index of indexes) yield largeReport(makeNode(SEED, index, now), REPORT_RESOURCES, now - index * 1000);
}

function commandOf(command: FixtureCommandName, payload: JsonObject): PopulationCommand {
  return {
    command: command.replaceAll(" ", "_"),
    version: String(COMMAND_VERSIONS[command]),
    certname: payload["certname"] as string,
    producerTimestamp: payload["producer_timestamp"] as string,
    payload: stringifyJson(payload),
  };
}
