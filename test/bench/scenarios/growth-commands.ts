import type { Bench } from "../bench.ts";
import type { CensusProcess } from "../census-process.ts";
import { commandsIn, type OraclePopulation, populationFile } from "../peer/population.ts";
import { anotherRun, inTheNameOf, producedAt, type Work, type WorkName, workNames, worksOf } from "../peer/work.ts";
import { sendWork } from "../send-work.ts";
import type { PopulationCommand } from "#test/conformance/population.ts";

/** Blocks of commands that services are sent by turns. The first of each kind is not measured. */
const BLOCKS = 6;

/** Commands in a block: where all is new, enough for the engine to write its log into the file now and then. */
const IN_BLOCK: Readonly<Record<WorkName, number>> = {
  facts: 600,
  catalogs: 600,
  reports: 1800,
  "facts, unchanged": 1000,
  "catalogs, unchanged": 1000,
};

/** The number of a service's nodes that send unchanged content: enough for all blocks. */
const SENDERS = BLOCKS * IN_BLOCK["facts, unchanged"];

/** A service with a population. */
export interface Receiver {
  readonly census: CensusProcess;
  /** How many nodes there are. */
  readonly size: number;
  /** What it holds of the nodes that send. */
  readonly held: Pick<Held, "facts" | "catalogs">;
  /** Called with the duration of a command in ms. */
  readonly note: (name: WorkName, ms: number) => void;
}

type Held = Readonly<Record<"facts" | "catalogs" | "reports", readonly PopulationCommand[]>>;

/** Of those nodes of a population that send what has not changed: what its service holds. */
export function heldBy(population: OraclePopulation): Receiver["held"] {
  const { facts, catalogs } = worksOf(population, SENDERS);
  return { facts: facts.commands, catalogs: catalogs.commands };
}

/**
 * Sends commands to services of all sizes by turns, block by block: they are compared with each other, and the speed of the
 * machine changes with time. Unchanged content comes first. Then come the documents of other nodes, sent in the names of
 * existing nodes: all of it is new and the same for all services, and no node is added. Before that each sending node runs
 * once: a service that has just started reads a node's content once before it recognises it by its digest.
 * @param beyond the number of nodes that the largest service has
 */
export async function sendByTurns(
  bench: Bench,
  receivers: readonly Receiver[],
  oracle: string,
  beyond: number,
): Promise<void> {
  const strangers = await strangersBeyond(beyond, oracle);
  const senders = receivers.map((receiver) => new Sender(receiver, strangers));
  for (const sender of senders) await sender.sendAll(bench);
  for (const name of [...workNames].toSorted((one, other) => Number(isFresh(one)) - Number(isFresh(other)))) {
    for (let block = 0; block < BLOCKS; block++) {
      for (const sender of senders) await sender.sendBlock(bench, name, block);
    }
  }
}

function isFresh(name: WorkName): name is keyof Held {
  return !name.endsWith("unchanged");
}

/** What nodes send of a population of twice as many. */
async function strangersBeyond(nodes: number, oracle: string): Promise<Held> {
  // One in ten has no catalog.
  const most = Math.ceil(1.25 * BLOCKS * IN_BLOCK.catalogs);
  const order = new Map<string, number>();
  const commands: PopulationCommand[] = [];
  for await (const command of commandsIn(await populationFile(oracle, 2 * nodes))) {
    if (!order.has(command.certname)) order.set(command.certname, order.size);
    const place = order.get(command.certname) ?? 0;
    // A node has several reports.
    const last = nodes + (command.command === "store_report" ? most / 2 : most);
    if (place >= nodes && place < last) commands.push(command);
  }
  const { facts, catalogs, reports } = worksOf({ commands }, most);
  return { facts: facts.commands, catalogs: catalogs.commands, reports: reports.commands };
}

/** Sends one service what it is its turn to get. */
class Sender {
  readonly #receiver: Receiver;
  readonly #strangers: Held;
  readonly #certnames: readonly string[];
  /** Of the next command: each is produced later than the one before. */
  #index = 1;

  constructor(receiver: Receiver, strangers: Held) {
    this.#receiver = receiver;
    this.#strangers = strangers;
    // Those of which everything is there.
    const withCatalogs = new Set(receiver.held.catalogs.map(({ certname }) => certname));
    this.#certnames = receiver.held.facts.map(({ certname }) => certname).filter((name) => withCatalogs.has(name));
  }

  /** What it holds of each node, once more. */
  async sendAll(bench: Bench): Promise<void> {
    for (const kind of ["facts", "catalogs"] as const) await this.#send(bench, kind, this.#receiver.held[kind]);
  }

  async sendBlock(bench: Bench, name: WorkName, block: number): Promise<void> {
    const kind = isFresh(name) ? name : name === "facts, unchanged" ? "facts" : "catalogs";
    const count = IN_BLOCK[name];
    const places = Array.from({ length: count }, (_, place) => block * count + place);
    const own = kind === "reports" ? [] : this.#receiver.held[kind];
    const commands = places.map((place) =>
      isFresh(name) ? this.#strangerAt(kind, place) : (own[place % own.length] as PopulationCommand),
    );
    const ms = await this.#send(bench, kind, commands);
    if (block > 0) this.#receiver.note(name, ms);
  }

  #strangerAt(kind: keyof Held, place: number): PopulationCommand {
    const commands = this.#strangers[kind];
    const command = commands[place % commands.length] as PopulationCommand;
    // Spread over all that there are, as far as it goes.
    const step = Math.max(1, Math.floor(this.#certnames.length / (BLOCKS * IN_BLOCK.facts)));
    return inTheNameOf(command, this.#certnames[(place * step) % this.#certnames.length] as string);
  }

  /** @returns ms of a command */
  async #send(bench: Bench, kind: keyof Held, commands: readonly PopulationCommand[]): Promise<number> {
    const { census, size } = this.#receiver;
    const since = producedAt(this.#index);
    const sent = commands.map((command) => anotherRun(command, this.#index++));
    const nodes = new Set(sent.map(({ certname }) => certname)).size;
    const stored: Record<keyof Held, Work["stored"]> = {
      facts: { entity: "factsets", count: nodes, since },
      catalogs: { entity: "catalogs", count: nodes, since },
      reports: { entity: "reports", count: sent.length, since },
    };
    const { speed } = await sendWork(bench, `${kind}, ${size} nodes`, census, { commands: sent, stored: stored[kind] });
    return 1000 / speed;
  }
}
