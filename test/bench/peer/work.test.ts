import { describe, expect, it } from "vitest";
import { populationCommands } from "#fixtures/population.ts";
import { stringifyJson } from "#storage/json.ts";
import { isCommandName } from "#storage/wire/commands.ts";
import type { PopulationCommand } from "#test/conformance/population.ts";
import { emptyStore, NOW } from "#test/fixture-store.ts";
import { BASE_TIME, type OraclePopulation } from "./population.ts";
import { anotherRun, endlessRuns, worksOf } from "./work.ts";

const options = { nodes: 8, seed: 1, reportsPerNode: 2, baseTime: "2026-11-20T12:00:00Z", resources: 20 };

const commands = [...populationCommands(options)].map(({ command, version, certname, payload }): PopulationCommand => ({
  command: command.replaceAll(" ", "_"),
  version: String(version),
  certname,
  producerTimestamp: payload["producer_timestamp"] as string,
  payload: stringifyJson(payload),
}));

const population: OraclePopulation = {
  file: "",
  commands,
  counts: { nodes: 8, factsets: 0, catalogs: 0, reports: 0 },
  newestFacts: "",
};

function submission({ command, version, certname, payload }: PopulationCommand) {
  const name = command.replaceAll("_", " ");
  if (!isCommandName(name)) throw new Error(`no command: ${command}`);
  return { command: name, version: Number(version), certname, payload, received: NOW };
}

describe("the commands that are sent to both systems", () => {
  it.each(["replace_facts", "replace_catalog"])(
    "contain unchanged %s in another run, with other times and ids",
    async (name) => {
      await using store = await disposable();
      const first = commands.filter(({ command }) => command === name);
      for (const [index, command] of first.entries()) {
        expect(await store.submit(submission(command))).toBe("stored");
        const again = anotherRun(command, index);
        expect(again.payload).not.toBe(command.payload);
        expect(again.payload).toContain(`"producer_timestamp":"${again.producerTimestamp}"`);
        expect(await store.submit(submission(again))).toBe("unchanged");
      }
    },
  );

  it("have other uuids and another version in another run", () => {
    const [catalog] = commands.filter(({ command }) => command === "replace_catalog");
    if (catalog === undefined) throw new Error("the population has no catalog");
    const runs = [catalog, anotherRun(catalog, 0), anotherRun(catalog, 1)];
    for (const field of ["version", "transaction_uuid", "catalog_uuid", "producer_timestamp"]) {
      const values = runs.map(({ payload }) => (JSON.parse(payload) as Record<string, unknown>)[field]);
      expect(new Set(values).size).toBe(3);
    }
  });

  it("continue without end, and are different each time", async () => {
    await using store = await disposable();
    const uptime = '"values":{"uptime_seconds":5,"system_uptime":{"seconds":5}}';
    const facts = `{"certname":"a","environment":"production","producer_timestamp":"2026-11-20T12:00:00Z","producer":"p",${uptime}}`;
    const [catalog] = commands.filter(({ command }) => command === "replace_catalog");
    const [report] = commands.filter(({ command }) => command === "store_report");
    if (catalog === undefined || report === undefined) throw new Error("the population is not what it was");
    const ofOne = [
      { command: "replace_facts", version: "5", certname: "a", payload: facts },
      { ...catalog, certname: "a", payload: catalog.payload.replaceAll(catalog.certname, "a") },
      { ...report, certname: "a", payload: report.payload.replaceAll(report.certname, "a") },
    ];
    const outcomes: string[] = [];
    for (const command of endlessRuns({ commands: ofOne })) {
      outcomes.push(`${command.command} ${await store.submit(submission(command))}`);
      if (outcomes.length === 6) break;
    }
    expect(outcomes).toEqual([
      "replace_facts stored",
      "replace_catalog stored",
      "store_report stored",
      "replace_facts stored",
      "replace_catalog unchanged",
      "store_report stored",
    ]);
  });

  it("are one fact set and one catalog of each node, and every report", () => {
    const works = worksOf(population, 8);
    for (const name of ["facts", "catalogs"] as const) {
      const certnames = works[name].commands.map(({ certname }) => certname);
      expect(new Set(certnames).size).toBe(certnames.length);
      expect(works[`${name}, unchanged`].commands.map(({ certname }) => certname)).toEqual(certnames);
      expect(works[`${name}, unchanged`].stored.since).toBe(BASE_TIME);
    }
    expect(works.reports.commands).toEqual(commands.filter(({ command }) => command === "store_report"));
  });

  it("are those of the first nodes if fewer are requested", () => {
    const [first] = commands;
    const works = worksOf(population, 1);
    for (const { commands: made } of Object.values(works)) {
      expect(new Set(made.map(({ certname }) => certname))).toEqual(new Set([first?.certname]));
    }
  });

  it("are distributed completely and without duplicates", () => {
    const [whole, begun, rest] = [
      worksOf(population, 8),
      worksOf(population, 3),
      worksOf(population, 8, { without: 3 }),
    ];
    for (const name of ["facts", "catalogs", "reports"] as const) {
      expect(begun[name].commands.length).toBeGreaterThan(0);
      expect([...begun[name].commands, ...rest[name].commands]).toEqual(whole[name].commands);
      expect(begun[name].stored.count + rest[name].stored.count).toBe(whole[name].stored.count);
    }
  });
});

async function disposable() {
  const store = await emptyStore();
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}
