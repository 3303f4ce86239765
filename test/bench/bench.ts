import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "#storage/store-database.ts";
import { runChild, startChild, type Child } from "./child.ts";
import type { ImportInput, ImportOutput } from "./children/import.ts";
import type { ServeInput, ServeOutput } from "./children/serve.ts";
import { directorySize } from "./directory-size.ts";
import type { Options } from "./options.ts";
import { Rivals } from "./peer/rivals.ts";
import { archiveOf, benchFolder, populationOf } from "./population.ts";

/** A server in a process of its own. */
export type Server = Child<ServeOutput>;

/** How long after the population's last run the fixed clock is, in ms: every node is active, no event too old. */
const AFTERWARDS = 60_000;

/** What scenarios share: the population, the processes, and a data directory with the population. */
export class Bench {
  /** how often to repeat what takes seconds */
  readonly runs: number;
  /** Census and PuppetDB, for what compares them */
  readonly rivals: Rivals;
  /** the fleet whose day is simulated */
  readonly fleet: Options["fleet"];
  /** seconds for which ten people browse */
  readonly browsing: number;
  /** whether to write CPU profiles */
  readonly profile: boolean;
  readonly #options: Options;
  readonly #population: ReturnType<typeof populationOf>;
  #holdsPopulation = false;
  #server: Server | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#population = populationOf(options.nodes);
    this.runs = options.runs;
    this.fleet = options.fleet;
    this.browsing = options.browsing;
    this.profile = options.profile;
    this.rivals = new Rivals(options, (text) => this.progress(text));
    this.#holdsPopulation = options.keep && existsSync(join(this.directory, databaseFile));
  }

  /** The data directory. */
  get directory(): string {
    return join(benchFolder, "data", `${this.#population.nodes}-nodes`);
  }

  /** What every clock shows, ms since the epoch. */
  get now(): number {
    return Date.parse(this.#population.baseTime) + AFTERWARDS;
  }

  /** Says on stderr how far things are. */
  progress(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** The population as an archive. @returns its path */
  async archive(): Promise<string> {
    return archiveOf(this.#population, (path) => this.progress(`making ${path}`));
  }

  /** Imports the population, into a directory that is empty or as it was left. */
  async import(into: "empty" | "as it is"): Promise<ImportOutput> {
    const archive = await this.archive();
    await this.#stopServer();
    if (into === "empty") rmSync(this.directory, { recursive: true, force: true });
    const input: ImportInput = { archive, directory: this.directory, now: this.now };
    const output = await runChild<ImportOutput>("import", input, this.#options.profile);
    this.#holdsPopulation = true;
    return output;
  }

  /** Bytes of the data directory's files. */
  directorySize(): number {
    return directorySize(this.directory);
  }

  /** Fills the data directory with the population; no server uses it. */
  async populate(): Promise<void> {
    if (!this.#holdsPopulation) {
      this.progress("importing the population");
      await this.import("empty");
    }
    await this.#stopServer();
  }

  /** A server over the population that has not answered a request yet. */
  async freshServer(): Promise<Server> {
    await this.populate();
    const input: ServeInput = { directory: this.directory, now: this.now };
    this.#server = await startChild<ServeOutput>("serve", input, this.#options.profile);
    return this.#server;
  }

  /** A server over the population, the one of the scenario before where that left one. */
  async server(): Promise<Server> {
    return this.#server ?? this.freshServer();
  }

  /** Runs a job of `children/`. */
  async run<Output>(name: string, input: object): Promise<Output> {
    return runChild<Output>(name, input, this.#options.profile);
  }

  /** Starts a job of `children/` that leaves something running; whoever started it closes it. */
  async start<Output>(name: string, input: object): Promise<Child<Output>> {
    return startChild<Output>(name, input, this.#options.profile);
  }

  /** Stops what runs and removes what was made on the way. */
  async close(): Promise<void> {
    await this.rivals.close();
    await this.#stopServer();
    if (!this.#options.keep) rmSync(this.directory, { recursive: true, force: true });
  }

  async #stopServer(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }
}
