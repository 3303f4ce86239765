import { array, assert, asyncProperty, constantFrom, nat, oneof, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { populationCommands } from "#fixtures/population.ts";
import { Database } from "#storage/engine/database.ts";
import { Ingester } from "#storage/ingest/ingester.ts";
import type { PrepareResult } from "#storage/ingest/prepare-result.ts";
import { scanSubmission } from "#storage/ingest/scan-submission.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { isObject, type Json, type JsonObject, parseJson, stringifyJson } from "#storage/json.ts";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import { NodeIndex } from "#storage/nodes/node-index.ts";
import { schemaScript } from "#storage/schema/migrate.ts";
import { fixedClock } from "#storage/time.ts";
import { defaultBounds } from "#storage/wire/bounds.ts";
import { NOW } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";

/** A store's writing side, which recognises content that nodes have stored, or reads all of each command. */
class Side {
  readonly database: Database;
  readonly #ingester: Ingester;
  readonly #recognises: boolean;
  /** Commands whose content was recognised on their arrival. */
  recognised = 0;

  constructor(database: Database, recognises: boolean) {
    const nodes = new NodeIndex();
    const options = { nodes, clock: fixedClock(NOW), retention: defaultRetention };
    this.database = database;
    this.#ingester = new Ingester(database, { ...options, history: { volatileFacts: [] } });
    this.#recognises = recognises;
  }

  /** Stores a batch. @returns the outcome of each command, or why it is invalid */
  async store(batch: readonly Submission[]): Promise<string[]> {
    const results: PrepareResult[] = [];
    for (const submission of batch) {
      const arrival = this.#recognises
        ? this.#ingester.arrivalOf(await scanSubmission(submission, defaultBounds))
        : undefined;
      if (arrival?.result !== undefined) this.recognised++;
      const [result] = arrival?.result === undefined ? await this.#ingester.prepare([submission]) : [arrival.result];
      if (result !== undefined) results.push(result);
    }
    const valid = results.flatMap((result, at) => ("prepared" in result ? [{ at, prepared: result.prepared }] : []));
    const outcomes = await this.#ingester.write(
      valid.map(({ prepared }) => prepared),
      async (index) => batch[valid[index]?.at ?? -1] as Submission,
    );
    const rest = outcomes.values();
    return results.map((result) => ("prepared" in result ? (rest.next().value ?? "") : result.problem));
  }

  async close(): Promise<void> {
    await this.#ingester.close();
    await this.database.close();
  }

  /** All rows of all tables; ids are replaced by what they identify. */
  async content(): Promise<Record<string, unknown[]>> {
    const found: Record<string, unknown[]> = {};
    for (const [name, sql] of Object.entries(contents)) {
      found[name] = await this.database.rows(`SELECT CAST(t AS VARCHAR) AS row FROM (${sql}) t ORDER BY 1`);
    }
    return found;
  }
}

/** Every table that commands change, as rows without ids of dictionaries. */
const contents = {
  nodes: "SELECT * FROM nodes",
  facts: "SELECT * FROM facts",
  leaves:
    "SELECT l.node_id, l.value, l.sort_key, p.* EXCLUDE (id) FROM fact_leaves l JOIN fact_paths p ON p.id = path_id",
  paths: "SELECT * EXCLUDE (id) FROM fact_paths",
  packages: "SELECT n.node_id, p.* EXCLUDE (id) FROM node_packages n JOIN packages p ON p.id = package_id",
  resources: `SELECT c.node_id, c.type AS kind, r.* EXCLUDE (id) FROM catalog_resources c JOIN resources r ON r.id = resource_id`,
  parameters:
    "SELECT r.digest, p.* EXCLUDE (resource_id) FROM resource_parameters p JOIN resources r ON r.id = resource_id",
  edges: "SELECT c.node_id, e.* EXCLUDE (id) FROM catalog_edges c JOIN edges e ON e.id = edge_id",
  inputs: "SELECT * FROM catalog_inputs",
  reports: "SELECT * FROM reports",
  events: "SELECT * FROM events",
  "changes of facts": "SELECT * FROM history_facts",
  "changes of packages": "SELECT * FROM history_packages",
  environments: "SELECT * FROM environments",
  producers: "SELECT * FROM producers",
} as const;

async function side(recognises: boolean): Promise<Side> {
  return new Side(await Database.open({ tables: schemaScript() }), recognises);
}

const population: readonly Submission[] = [
  ...populationCommands({
    nodes: 4,
    seed: 3,
    reportsPerNode: 2,
    baseTime: "2026-11-20T12:00:00.000Z",
    factLeaves: 30,
    resources: 12,
    includeOddities: true,
  }),
].map(({ command, version, certname, payload }) => ({
  command,
  version,
  certname,
  payload: stringifyJson(payload),
  received: NOW,
}));

/** Changes to a payload: what a later run of the agent sends, other content, and what is invalid. */
const changes: Readonly<Record<string, (payload: JsonObject, number: number) => JsonObject>> = {
  none: (payload) => payload,
  "later run": (payload, number) => ({
    ...payload,
    producer_timestamp: new Date(Date.UTC(2026, 10, 20, 12, number % 60)).toISOString(),
    ...("version" in payload ? { version: `run ${number}` } : {}),
  }),
  "other volatile facts": (payload, number) => {
    const { values } = payload;
    return isObject(values) ? { ...payload, values: { ...values, uptime_seconds: number, memoryfree: "1" } } : payload;
  },
  "another environment": (payload, number) => ({ ...payload, environment: `environment_${number % 3}` }),
  "a member less": (payload, number) => withoutOne(payload, number),
  "content of another node": (payload, number) => {
    const other = parseJson(String(population[number % population.length]?.payload)) as JsonObject;
    return { ...payload, ...pick(other, ["values", "package_inventory", "resources", "edges"], payload) };
  },
  "an item less": (payload, number) => ({ ...payload, ...shortened(payload, number) }),
  invalid: (payload) => ({ ...payload, edges: [{ source: 1 }], values: [] }),
};

function withoutOne(payload: JsonObject, number: number): JsonObject {
  const names = Object.keys(payload).filter((name) => name !== "certname");
  const { [names[number % names.length] ?? ""]: _, ...rest } = payload;
  return rest;
}

function pick(from: JsonObject, names: readonly string[], to: JsonObject): JsonObject {
  return Object.fromEntries(
    names.filter((name) => name in to && name in from).map((name) => [name, from[name] as Json]),
  );
}

function shortened({ edges, resources }: JsonObject, number: number): JsonObject {
  const without = (list: Json | undefined): Json[] | undefined =>
    Array.isArray(list) ? list.filter((_, index) => index !== number % list.length) : undefined;
  const lists = number % 2 === 0 ? { edges: without(edges) } : { resources: without(resources) };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)) as JsonObject;
}

const factSets = population.flatMap(({ command }, index) => (command === "replace facts" ? [index] : []));

const step = record({
  // Fact sets, of which there are few, more often than they are there.
  command: oneof(nat({ max: population.length - 1 }), constantFrom(...factSets)),
  change: constantFrom(
    ...Object.keys(changes),
    "later run",
    "later run",
    "other volatile facts",
    "other volatile facts",
  ),
  number: nat({ max: 50 }),
  space: constantFrom(undefined, undefined, 1),
});

function submissionOf(chosen: {
  command: number;
  change: string;
  number: number;
  space: number | undefined;
}): Submission {
  const submission = population[chosen.command] as Submission;
  const payload = changes[chosen.change]?.(parseJson(String(submission.payload)) as JsonObject, chosen.number) ?? null;
  const text = stringifyJson(payload);
  return { ...submission, payload: chosen.space === undefined ? text : text.replaceAll(',"', ', "') };
}

describe("content that its node has stored", () => {
  it("leads to the same rows and outcomes as reading each command as a whole", async () => {
    let recognised = 0;
    await assert(
      asyncProperty(
        array(array(step, { minLength: 5, maxLength: 20 }), { minLength: 4, maxLength: 8 }),
        async (batches) => {
          const [long, short] = [await side(false), await side(true)];
          for (const batch of batches) {
            const submissions = batch.map(submissionOf);
            expect(await short.store(submissions)).toEqual(await long.store(submissions));
          }
          expect(await short.content()).toEqual(await long.content());
          recognised += short.recognised;
          expect(long.recognised).toBe(0);
          await Promise.all([long.close(), short.close()]);
        },
      ),
      { numRuns: byLength({ short: 8, long: 40 }) },
    );
    // Otherwise nothing was compared.
    expect(recognised).toBeGreaterThan(0);
  });
});
