import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "#storage/store.ts";
import { isCommandName } from "#storage/wire/commands.ts";
import { emptyStore, NOW } from "#test/fixture-store.ts";
import type { WireCommand } from "../posting.ts";
import { Fleet } from "./fleet.ts";
import { RUN_INTERVAL } from "./node-runs.ts";

const NODES = 10;

interface Sent {
  readonly command: string;
  readonly certname: string;
  readonly producerTimestamp: string;
  readonly payload: string;
}

function sent({ target, body }: WireCommand): Sent {
  const { searchParams } = new URL(target, "http://census");
  return {
    command: (searchParams.get("command") ?? "").replaceAll("_", " "),
    certname: searchParams.get("certname") ?? "",
    producerTimestamp: searchParams.get("producer-timestamp") ?? "",
    payload: body.toString(),
  };
}

describe("a fleet that reports every half hour", () => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore();
  });
  afterAll(() => store.close());

  it("sends changed facts, mostly unchanged catalogs, and a new report each time", async () => {
    const fleet = new Fleet(NODES);
    const outcomes: [run: number, command: string, outcome: string][] = [];
    for (const run of [0, 1, 2]) {
      for (const { command, certname, payload } of [...fleet.run(run)].map(sent)) {
        if (!isCommandName(command)) throw new Error(`no command: ${command}`);
        const version = { "replace facts": 5, "replace catalog": 9 }[command as string] ?? 8;
        outcomes.push([run, command, await store.submit({ command, version, certname, payload, received: NOW })]);
      }
    }
    const of = (name: string, runs: readonly number[]): string[] =>
      outcomes.filter(([run, command]) => command === name && runs.includes(run)).map(([, , outcome]) => outcome);
    expect(new Set(of("replace facts", [0, 1, 2]))).toEqual(new Set(["stored"]));
    expect(new Set(of("store report", [0, 1, 2]))).toEqual(new Set(["stored"]));
    expect(new Set(of("replace catalog", [0]))).toEqual(new Set(["stored"]));
    const later = of("replace catalog", [1, 2]);
    expect(later.filter((outcome) => outcome === "unchanged").length).toBeGreaterThan(0.8 * later.length);
  });

  it("changes about one catalog in fifty", () => {
    const fleet = new Fleet(NODES);
    const releases = new Map<string, string>();
    let [catalogs, changes] = [0, 0];
    for (let run = 0; run < 60; run++) {
      for (const { command, certname, payload } of [...fleet.run(run)].map(sent)) {
        if (command !== "replace catalog") continue;
        const [release = ""] = /"release \d+ of [^"]*"/.exec(payload) ?? [];
        if (releases.has(certname)) catalogs++;
        if (releases.has(certname) && releases.get(certname) !== release) changes++;
        releases.set(certname, release);
      }
    }
    expect(changes / catalogs).toBeGreaterThan(0.01);
    expect(changes / catalogs).toBeLessThan(0.04);
  });

  it("has the time of the run in the request and in the payload of a command", () => {
    const fleet = new Fleet(NODES);
    for (const run of [0, 7]) {
      for (const { producerTimestamp, payload } of [...fleet.run(run)].map(sent)) {
        const produced = (JSON.parse(payload) as Record<string, string>)["producer_timestamp"];
        expect(produced).toBe(producerTimestamp);
        const before = fleet.endOf(run) - Date.parse(producerTimestamp);
        expect(before).toBeGreaterThan(0);
        expect(before).toBeLessThan(RUN_INTERVAL + 10_000);
      }
    }
  });
});
