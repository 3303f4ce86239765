import { join } from "node:path";
import { expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import { a } from "#test/fixture-store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { type Connection, connect } from "./client.ts";
import { countingNode, factsNode, NOW, numbered, type Numbered, uuidOf } from "./numbered.ts";
import { startProcess } from "./service-process.ts";

/** `npm run kills` is the long form. */
const KILLS = 12;
const CONNECTIONS = 6;

let number = 0;

/** Sends commands until the service is gone; those that were acknowledged are in `acknowledged`. */
async function send(url: string, sender: number, acknowledged: Numbered[]): Promise<void> {
  const connection = connect(url);
  try {
    for (;;) {
      const command = numbered(number++, sender);
      const { status } = await connection.post(command.command);
      expect(status).toBe(200);
      acknowledged.push(command);
    }
  } catch (error) {
    if (!/ECONNRESET|ECONNREFUSED|socket hang up|aborted/.test(String(error))) throw error;
  } finally {
    connection.close();
  }
}

/** Everything that a service has, as far as these commands go. */
async function stored(connection: Connection, directory: string): Promise<(command: Numbered) => boolean> {
  // Commands are dealt with in their order: when this one has been, all that came before it have.
  const { text } = await connection.post(a.facts("last"), 60);
  expect(text).toContain('"processed" : true');
  const reports = await connection.rows("reports", ["extract", "transaction_uuid"]);
  const facts = await connection.rows("facts", ["extract", ["certname", "value"], ["=", "name", "number"]]);
  const transactions = new Set(reports.map((row) => row["transaction_uuid"]));
  const numbers = new Map(facts.map(({ certname, value }) => [certname, Number(value)]));
  const office = new DeadLetters(join(directory, "queue"));
  const letters = new Set((await office.list()).map(({ certname }) => certname));
  const isStored: Record<Numbered["kind"], (command: Numbered) => boolean> = {
    report: (command) => transactions.has(uuidOf(command.number)),
    facts: (command) => numbers.get(factsNode(command.number)) === command.number,
    counter: (command) => (numbers.get(countingNode(command.sender)) ?? -1) >= command.number,
    broken: (command) => letters.has(command.command.certname),
  };
  return (command) => isStored[command.kind](command);
}

const missing = (commands: readonly Numbered[], isThere: (command: Numbered) => boolean): string[] =>
  commands.filter((command) => !isThere(command)).map((command) => `${command.kind} ${command.number}`);

/** Starts the service and ends it at a random moment, once in five while it starts; else checks and sends first. */
async function round(directory: string, random: Random, all: Numbered[], fresh: Numbered[]): Promise<Numbered[]> {
  const service = startProcess(directory, NOW);
  if (random.chance(0.2)) {
    await new Promise((resolve) => setTimeout(resolve, random.integer(100, 450)));
    await service.kill();
    return fresh;
  }
  const url = await service.ready;
  const connection = connect(url);
  expect(missing(fresh, await stored(connection, directory))).toEqual([]);
  connection.close();
  all.push(...fresh);
  const acknowledged: Numbered[] = [];
  const senders = Array.from({ length: CONNECTIONS }, (_, sender) => send(url, sender, acknowledged));
  await new Promise((resolve) => setTimeout(resolve, random.integer(5, 250)));
  await service.kill();
  await Promise.all(senders);
  return acknowledged;
}

it(
  `an acknowledged command is stored or a dead letter after ${KILLS} kills of the service`,
  { timeout: 300_000 },
  async () => {
    await using folder = await temporaryFolder();
    const random = new Random("kill");
    const all: Numbered[] = [];
    let fresh: Numbered[] = [];
    for (let kill = 0; kill < KILLS; kill++) fresh = await round(folder.path, random, all, fresh);
    all.push(...fresh);

    const service = startProcess(folder.path, NOW);
    const connection = connect(await service.ready);
    expect(missing(all, await stored(connection, folder.path))).toEqual([]);
    connection.close();
    expect(await service.stop()).toBe(0);
    // How many there are depends on the machine.
    expect(all.length).toBeGreaterThan(KILLS);
    for (const kind of ["report", "facts", "counter", "broken"])
      expect(all.filter((command) => command.kind === kind).length).toBeGreaterThan(0);
  },
);
