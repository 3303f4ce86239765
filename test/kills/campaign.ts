import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Random } from "#fixtures/random.ts";
import { type CampaignCommand, CommandMaker, NOW, transactionOf } from "#test/campaign/commands.ts";
import { settle, storedIn, storedInExport } from "#test/campaign/inspect.ts";
import { Ledger, type Stored, type Verdict } from "#test/campaign/ledger.ts";
import { Load } from "#test/campaign/load.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { startProgram } from "#test/program.ts";
import { killedImport, moments } from "./moments.ts";

export interface KillOptions {
  readonly count: number;
  readonly seed: number;
  readonly senders: number;
  readonly progress: (line: string) => void;
}

export interface KillResult {
  readonly kills: number;
  readonly seconds: number;
  /** Kills by moment. */
  readonly moments: ReadonlyMap<string, number>;
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  /** Longest time from a start to a service that is ready, ms. */
  readonly longestStart: number;
  readonly problems: readonly string[];
}

/** How often, of all rounds, the server is killed while it starts, and while an archive is imported beside it. */
const AT_START = 0.15;
const AT_IMPORT = 0.08;
/** Milliseconds that a start may take. */
const RESTART = 300_000;

/** Kills a server again and again, and looks for every acknowledged command after each restart. */
export class KillCampaign {
  readonly #options: KillOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "census-kills-"));
  readonly #directory = join(this.#folder, "data");
  readonly #random: Random;
  /** Of each archive that was posted. */
  readonly #archives: (readonly CampaignCommand[])[] = [];
  readonly #maker: CommandMaker;
  readonly #ledger = new Ledger();
  readonly #load: Load;
  readonly #moments = new Map<string, number>();
  readonly #problems = new Set<string>();
  #longestStart = 0;

  constructor(options: KillOptions) {
    const { seed, senders } = options;
    this.#options = options;
    this.#random = new Random("kills", seed);
    this.#maker = new CommandMaker(seed);
    this.#load = new Load({ maker: this.#maker, ledger: this.#ledger, random: new Random("load", seed), senders });
  }

  async run(): Promise<KillResult> {
    const started = performance.now();
    try {
      for (let kill = 0; kill < this.#options.count; kill++) {
        await this.#round(kill);
        if (kill % 10 === 9)
          this.#options.progress(`${kill + 1} kills, ${this.#ledger.count("acknowledged")} acknowledged`);
      }
      await this.#last();
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
    return {
      kills: this.#options.count,
      seconds: (performance.now() - started) / 1000,
      moments: this.#moments,
      acknowledged: this.#ledger.count("acknowledged"),
      refused: this.#ledger.count("refused"),
      unknown: this.#ledger.count("unknown"),
      longestStart: this.#longestStart,
      problems: [...this.#problems],
    };
  }

  async #round(kill: number): Promise<void> {
    const form = this.#random.fraction();
    if (form < AT_START) return this.#killAtStart();
    if (form < AT_START + AT_IMPORT) return this.#killImport(kill);
    const moment = this.#random.weighted(Object.entries(moments).map(([name, { weight }]) => [name, weight]));
    this.#note(moment);
    const server = this.#start();
    const url = await this.#ready(server, kill);
    if (url === undefined) return;
    await this.#compare(await storedIn(url), `after ${kill} kills`);
    await this.#killUnder(server, url, moment);
  }

  async #killAtStart(): Promise<void> {
    this.#note("start");
    const server = this.#start();
    await Promise.race([server.ready.catch(() => undefined), delay(this.#random.integer(20, 1500))]);
    await delay(this.#random.integer(0, 100));
    await server.kill();
  }

  /** Sends commands, does beside it what the moment says, and kills the server somewhere in between. */
  async #killUnder(server: Server, url: string, moment: string): Promise<void> {
    const stop = new AbortController();
    const random = new Random("moment", this.#options.seed, this.#load.nextNumber());
    const [folder, directory, load, ledger] = [this.#folder, this.#directory, this.#load, this.#ledger];
    const round = { url, folder, directory, load, ledger, archives: this.#archives };
    const beside = moments[moment]?.beside({ ...round, maker: this.#maker, random, signal: stop.signal });
    const loading = load.run(url, stop.signal);
    await delay(this.#random.chance(0.3) ? this.#random.integer(1, 60) : this.#random.integer(60, 1500));
    await server.kill();
    stop.abort();
    await Promise.all([loading, beside]);
  }

  async #killImport(kill: number): Promise<void> {
    this.#note("census import");
    const { signal } = new AbortController();
    const [folder, directory, load, ledger] = [this.#folder, this.#directory, this.#load, this.#ledger];
    const round = { folder, directory, load, ledger, archives: this.#archives };
    const commands = await killedImport({ ...round, maker: this.#maker, random: this.#random, signal });
    const server = this.#start();
    const url = await this.#ready(server, kill);
    if (url !== undefined) {
      const stored = await storedIn(url);
      await this.#compare(stored, `after ${kill} kills and an import`);
      this.#compareAtomic("an import", commands, stored);
    }
    await server.kill();
  }

  /** An archive is atomic: all of its reports are stored, or none. */
  #compareAtomic(what: string, commands: readonly CampaignCommand[], stored: Stored): void {
    const there = new Set(stored.reports.map(({ transaction }) => transaction));
    const reports = commands.filter(({ kind }) => kind === "report");
    const found = reports.filter(({ number }) => there.has(transactionOf(number))).length;
    if (found > 0 && found < reports.length)
      this.#problem(`${what} was stored in part: ${found} of ${reports.length} reports`);
  }

  #start(): Server {
    return startServer({ directory: this.#directory, now: NOW });
  }

  /** The URL of a server that has stored everything in its queue; undefined when it does not get there. */
  async #ready(server: Server, kill: number): Promise<string | undefined> {
    const started = performance.now();
    try {
      const { plain } = await Promise.race([
        server.ready,
        delay(RESTART).then(() => Promise.reject(new Error("not ready in time"))),
      ]);
      this.#longestStart = Math.max(this.#longestStart, performance.now() - started);
      await settle(plain);
      return plain;
    } catch (error) {
      this.#problem(`does not run after ${kill} kills: ${String(error)}\n${server.log().slice(-1500)}`);
      await server.kill();
      return undefined;
    }
  }

  async #compare(stored: Stored, when: string): Promise<void> {
    for (const commands of this.#archives) this.#compareAtomic("an archive that was posted", commands, stored);
    const verdict = this.#ledger.judge(stored);
    for (const [what, list] of Object.entries(verdict) as [keyof Verdict, readonly string[]][]) {
      // Once lost, always lost: what was reported before is not repeated.
      for (const one of list) this.#problem(`${what}: ${one}`, when);
    }
  }

  /** After the last kill: everything, in the store and in an export of it. */
  async #last(): Promise<void> {
    const server = this.#start();
    const url = await this.#ready(server, this.#options.count);
    if (url === undefined) return;
    await this.#compare(await storedIn(url), "at the end");
    const path = join(this.#folder, "export.tgz");
    const child = startProgram(["export", path, "--url", url]);
    child.stdin.end();
    let printed = "";
    child.stderr.on("data", (piece: Buffer) => (printed += piece.toString()));
    child.stdout.resume();
    const [code] = (await once(child, "close")) as [number | null];
    if (code === 0) await this.#compare(await storedInExport(path), "in the export");
    else this.#problem(`the export failed with exit code ${code}: ${printed}`);
    const how = await server.kill("SIGTERM");
    if (how !== "exit code 0") this.#problem(`the server ended with ${how}: ${server.log().slice(-1500)}`);
  }

  #note(moment: string): void {
    this.#moments.set(moment, (this.#moments.get(moment) ?? 0) + 1);
  }

  #problem(text: string, when = ""): void {
    if (this.#problems.has(text)) return;
    this.#problems.add(text);
    this.#options.progress(`FOUND ${when} ${text}`);
  }
}
