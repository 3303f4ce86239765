import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Random } from "#fixtures/random.ts";
import { CommandMaker, NOW } from "#test/campaign/commands.ts";
import { Connection } from "#test/campaign/http.ts";
import { settle, storedIn } from "#test/campaign/inspect.ts";
import { Ledger, type Verdict } from "#test/campaign/ledger.ts";
import { Load } from "#test/campaign/load.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { normalised } from "#test/hostile/judge.ts";
import { damage, damageDatabase, type DamageKind, damageNames, type LossKind, lossNames } from "./damage.ts";
import { type FaultKind, faultNames, faultsOf } from "./kinds.ts";
import type { Shim } from "./shim.ts";

export type RoundKind = FaultKind | DamageKind | LossKind;

export const roundNames: readonly RoundKind[] = [...faultNames, ...damageNames, ...lossNames];

export interface FaultOptions {
  /** Rounds of each kind. */
  readonly count: number;
  readonly seed: number;
  readonly senders: number;
  readonly kinds: readonly RoundKind[];
  readonly progress: (line: string) => void;
}

/** Figures of the rounds of one kind. */
export interface KindResult {
  rounds: number;
  /** Calls that failed on purpose, or files that were damaged. */
  injected: number;
  acknowledged: number;
  lost: number;
  doubled: number;
  damaged: number;
  /** Rounds after which the server did not start or did not run. */
  refusedStarts: number;
  /** Rounds in which the server ended by itself. */
  ended: number;
  /** Rounds in which damage was reported that cannot be made good. */
  reported: number;
}

export interface FaultResult {
  readonly kinds: ReadonlyMap<RoundKind, KindResult>;
  readonly problems: readonly string[];
  /** What commands were refused with, by text, and how often. */
  readonly refusals: ReadonlyMap<string, number>;
  /** What servers printed when they ended by themselves or did not start, and how often. */
  readonly endings: ReadonlyMap<string, number>;
}

/** Rounds on one data directory; then a new one, so that a comparison stays quick. */
const ROUNDS_A_STORE = 12;
/** Milliseconds that faults last when no call comes that could fail. */
const LONGEST_FAULT = 4000;
/** How often a server is started while the disk fails. */
const AT_START = 0.2;
/** Milliseconds in which a server with a damaged file has to run, or say that it does not. */
const QUIET = 15_000;
/** Milliseconds that a start may take. */
const START = 60_000;

/** Has a disk fail under a server again and again, and looks for every acknowledged command after each restart. */
export class FaultCampaign {
  readonly #options: FaultOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "census-faults-"));
  readonly #shim: Shim;
  readonly #random: Random;
  readonly #maker: CommandMaker;
  readonly #kinds = new Map<RoundKind, KindResult>();
  readonly #problems: string[] = [];
  readonly #refusals = new Map<string, number>();
  readonly #endings = new Map<string, number>();
  #directory = "";
  #rounds = 0;
  #stores = 0;
  #ledger = new Ledger();
  #load: Load;

  /** @param shimFor makes the shim for files below a folder */
  constructor(options: FaultOptions, shimFor: (folder: string) => Shim) {
    this.#options = options;
    this.#shim = shimFor(this.#folder);
    this.#random = new Random("faults", options.seed);
    this.#maker = new CommandMaker(options.seed, 25);
    this.#load = this.#newStore();
  }

  async run(): Promise<FaultResult> {
    const { count, kinds, progress } = this.#options;
    try {
      for (const kind of kinds) {
        for (let round = 0; round < count; round++) await this.#round(kind);
        progress(`${kind}: ${JSON.stringify(this.#kinds.get(kind))}`);
        this.#load = this.#newStore();
      }
    } finally {
      this.#shim[Symbol.dispose]();
      rmSync(this.#folder, { recursive: true, force: true });
    }
    return { kinds: this.#kinds, problems: this.#problems, refusals: this.#refusals, endings: this.#endings };
  }

  #newStore(): Load {
    if (this.#directory !== "") rmSync(this.#directory, { recursive: true, force: true });
    this.#directory = join(this.#folder, `data-${this.#stores++}`);
    this.#rounds = 0;
    this.#ledger = new Ledger();
    const random = new Random("load", this.#options.seed, this.#stores);
    const onRefusal = ({ status, text }: { status: number; text: string }): void => {
      count(this.#refusals, `${status} ${withoutPlace(text)}`);
    };
    const { senders } = this.#options;
    return new Load({ maker: this.#maker, ledger: this.#ledger, random, senders, onRefusal });
  }

  /** Load, faults, the end of the server one way or another, a restart without faults, and a comparison. */
  async #round(kind: RoundKind): Promise<void> {
    if (this.#rounds++ >= ROUNDS_A_STORE) this.#load = this.#newStore();
    const result = this.#resultOf(kind);
    result.rounds++;
    const before = this.#ledger.count("acknowledged");
    if (isFault(kind) && this.#random.chance(AT_START)) await this.#failAtStart(kind, result);
    const server = startServer({ directory: this.#directory, now: NOW, env: this.#shim.env });
    const url = await this.#ready(server, kind);
    if (url === undefined) {
      result.refusedStarts++;
      this.#load = this.#newStore();
      return;
    }
    const stop = new AbortController();
    const load = this.#load.run(url, stop.signal);
    await delay(this.#random.integer(100, 800));
    const beside = isFault(kind) ? maintain(url, stop.signal) : undefined;
    if (isFault(kind)) await this.#fail(kind, server, result);
    await this.#end(server, stop);
    await Promise.all([load, beside]);
    this.#shim.off();
    result.acknowledged += this.#ledger.count("acknowledged") - before;
    if (isLoss(kind)) await this.#damageDatabase(kind, result);
    else if (!isFault(kind) && damage(kind, this.#directory, this.#random)) result.injected++;
    await this.#compare(kind, result);
  }

  /** A start on a disk that fails, perhaps the first one of this store. */
  async #failAtStart(kind: FaultKind, result: KindResult): Promise<void> {
    this.#shim.on(faultsOf(kind, this.#random));
    const server = startServer({ directory: this.#directory, now: NOW, env: this.#shim.env });
    await Promise.race([server.ended, delay(this.#random.integer(300, 2500))]);
    result.injected += this.#shim.injected();
    this.#shim.off();
    if (server.end() !== undefined) this.#noteEnding(server, "did not start while the disk failed");
    await server.kill();
  }

  async #fail(kind: FaultKind, server: Server, result: KindResult): Promise<void> {
    this.#shim.on(faultsOf(kind, this.#random));
    // Until some calls have failed, and a while longer.
    const due = this.#random.integer(1, 12);
    for (const since = Date.now(); this.#shim.injected() < due && Date.now() - since < LONGEST_FAULT;) {
      if (server.end() !== undefined) break;
      await delay(10);
    }
    await Promise.race([server.ended, delay(this.#random.integer(0, 300))]);
    result.injected += this.#shim.injected();
    if (server.end() !== undefined) {
      result.ended++;
      this.#noteEnding(server, "ended by itself");
    }
    // The disk is well again for a while, or not before the server is killed.
    if (this.#random.chance(0.5)) return;
    this.#shim.off();
    await Promise.race([server.ended, delay(this.#random.integer(50, 700))]);
  }

  async #end(server: Server, stop: AbortController): Promise<void> {
    const isKilled = this.#random.chance(0.7);
    if (!isKilled) {
      stop.abort();
      // One that cannot end in order is killed.
      const how = await Promise.race([server.kill("SIGTERM"), delay(20_000, undefined)]);
      if (how !== undefined) return;
    }
    await server.kill();
    stop.abort();
  }

  /** A store that is damaged says so, at its start or when what is damaged is read; it never runs with less. */
  async #damageDatabase(kind: LossKind, result: KindResult): Promise<void> {
    const restore = damageDatabase(kind, this.#directory, this.#random);
    if (restore === undefined) return;
    result.injected++;
    const server = startServer({ directory: this.#directory, now: NOW });
    try {
      const { plain } = await server.ready;
      await settle(plain, QUIET);
      const { lost, damaged } = this.#ledger.judge(await storedIn(plain));
      const hidden = lost.length + damaged.length;
      if (hidden > 0) this.#problem(`${kind}: it runs with ${hidden} commands less and does not say so: ${lost[0]}`);
      result.lost += hidden;
    } catch (error) {
      result.reported++;
      count(this.#endings, `said of a damaged file: ${withoutPlace(String(error).split("\n")[0] ?? "")}`);
    } finally {
      await server.kill();
      restore();
    }
  }

  async #compare(kind: RoundKind, result: KindResult): Promise<void> {
    const server = startServer({ directory: this.#directory, now: NOW });
    const url = await this.#ready(server, kind);
    if (url === undefined) {
      result.refusedStarts++;
      this.#load = this.#newStore();
      return;
    }
    const verdict = this.#ledger.judge(await storedIn(url));
    await server.kill();
    const bad = Object.entries(verdict) as [keyof Verdict, readonly string[]][];
    for (const [what, list] of bad) {
      result[what] += list.length;
      const examples = list.slice(0, 3).join("; ");
      if (list.length > 0) this.#problem(`${kind}, round ${result.rounds}: ${list.length} ${what}: ${examples}`);
    }
    // What is lost once would be counted again after each further round.
    if (bad.some(([, list]) => list.length > 0)) this.#load = this.#newStore();
  }

  /** The URL of a server that runs and has stored everything in its queue. */
  async #ready(server: Server, kind: RoundKind): Promise<string | undefined> {
    try {
      const late = delay(START).then(() => Promise.reject(new Error("it was not ready in time")));
      const { plain } = await Promise.race([server.ready, late]);
      await settle(plain);
      return plain;
    } catch (error) {
      this.#problem(`${kind}: does not run: ${String(error).slice(0, 700)} ${server.log().slice(-700)}`);
      this.#noteEnding(server, "did not start");
      await server.kill();
      return undefined;
    }
  }

  #noteEnding(server: Server, what: string): void {
    const last = server.log().trim().split("\n").at(-1) ?? "";
    count(this.#endings, `${what} (${server.end() ?? "killed"}): ${withoutPlace(last)}`);
  }

  #resultOf(kind: RoundKind): KindResult {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const fresh = {
      rounds: 0,
      injected: 0,
      acknowledged: 0,
      lost: 0,
      doubled: 0,
      damaged: 0,
      refusedStarts: 0,
      ended: 0,
      reported: 0,
    };
    this.#kinds.set(kind, fresh);
    return fresh;
  }

  #problem(text: string): void {
    this.#problems.push(text);
    this.#options.progress(`FOUND ${text}`);
  }
}

/** Has the server checkpoint, compact and copy its file until it is gone: calls that a load of commands makes rarely. */
async function maintain(url: string, signal: AbortSignal): Promise<void> {
  using connection = new Connection(url);
  const clean = JSON.stringify({ command: "clean", version: 1, payload: ["gc_fact_paths", "other"] });
  try {
    while (!signal.aborted) {
      await connection.send("POST", "/pdb/admin/v1/cmd", clean, 5000);
      await connection.send("GET", "/pdb/admin/v1/backup", undefined, 5000);
      await delay(50);
    }
  } catch {
    // The server has ended, or its disk has.
  }
}

function isFault(kind: RoundKind): kind is FaultKind {
  return (faultNames as readonly string[]).includes(kind);
}

function isLoss(kind: RoundKind): kind is LossKind {
  return (lossNames as readonly string[]).includes(kind);
}

function count(map: Map<string, number>, text: string): void {
  map.set(text, (map.get(text) ?? 0) + 1);
}

function withoutPlace(text: string): string {
  return normalised(text.replaceAll(/\/\S*census-faults-\w+\/data-\d+/g, "DATA"));
}
