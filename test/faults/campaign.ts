import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Random } from "#fixtures/random.ts";
import { verifyDirectory } from "#storage/verify/verify.ts";
import { CommandMaker, NOW } from "#test/campaign/commands.ts";
import { type Answer, Connection } from "#test/campaign/http.ts";
import { settle, storedIn } from "#test/campaign/inspect.ts";
import { Ledger, type Verdict } from "#test/campaign/ledger.ts";
import { Load } from "#test/campaign/load.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { damageDatabase, type DatabaseDamageKind, damageLog, type QueueDamageKind } from "./damage.ts";
import { tryDamagedQueue } from "./damaged-queue.ts";
import { type FaultKind, faultsOf } from "./kinds.ts";
import {
  count,
  cutsFail,
  type FaultResult,
  isDatabaseDamage,
  isFault,
  isQueueDamage,
  type KindResult,
  type RoundKind,
  withoutPlace,
} from "./results.ts";
import type { Shim } from "./shim.ts";

export interface FaultOptions {
  /** Rounds of each kind. */
  readonly count: number;
  readonly seed: number;
  readonly senders: number;
  readonly kinds: readonly RoundKind[];
  /** Receives what is found, and how servers ended by themselves. */
  readonly progress: (line: string) => void;
  /** Receives the figures of a kind now and then, and when its rounds are done. */
  readonly onResult: (kind: RoundKind, result: KindResult) => void;
}

/** A server that runs without faults and has stored everything in its queue. */
interface Running {
  readonly server: Server;
  readonly url: string;
}

/** Rounds on one data directory; then a new one, so that a comparison stays quick. */
const ROUNDS_A_STORE = 12;
/** Milliseconds that faults last when no call comes that could fail. */
const LONGEST_FAULT = 3000;
/** Milliseconds that commands are waited for. */
const LONGEST_WAIT = 2000;
/** How often a server is started while the disk fails. */
const AT_START = 0.2;
/** Milliseconds in which a server with a damaged file must run, or report that it does not. */
const QUIET = 15_000;
/** Milliseconds that a start may take on a busy machine. */
const START = 300_000;
/** Rounds between two reports of a kind's figures. */
const BETWEEN_RESULTS = 10;
/** Milliseconds between a client's commands: a round needs calls that fail, not a busy machine. */
const INTERVAL = 30;
/** Small commands, for the same reason. */
const [RESOURCES, FACT_LEAVES] = [6, 12];

/**
 * Has a disk fail under a server again and again. Each round ends with a restart, after which every acknowledged command is
 * looked for; the server of that restart is the one whose disk fails in the next round.
 */
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
  #running: Running | undefined;

  /** @param shimFor makes the shim for files below a folder */
  constructor(options: FaultOptions, shimFor: (folder: string) => Shim) {
    this.#options = options;
    this.#shim = shimFor(this.#folder);
    this.#random = new Random("faults", options.seed);
    this.#maker = new CommandMaker(options.seed, RESOURCES, FACT_LEAVES);
    this.#load = this.#openLoad();
  }

  async run(): Promise<FaultResult> {
    const { count, kinds, onResult } = this.#options;
    try {
      for (const kind of kinds) {
        const result = this.#resultOf(kind);
        for (let round = 1; round <= count; round++) {
          await this.#round(kind, result);
          if (round % BETWEEN_RESULTS === 0 || round === count) onResult(kind, result);
        }
        await this.#newStore();
      }
    } finally {
      await this.#running?.server.kill();
      this.#shim[Symbol.dispose]();
      rmSync(this.#folder, { recursive: true, force: true });
    }
    return { kinds: this.#kinds, problems: this.#problems, refusals: this.#refusals, endings: this.#endings };
  }

  /** Goes on with an empty data directory. */
  async #newStore(): Promise<void> {
    await this.#running?.server.kill();
    this.#running = undefined;
    rmSync(this.#directory, { recursive: true, force: true });
    this.#load = this.#openLoad();
  }

  #openLoad(): Load {
    this.#directory = join(this.#folder, `data-${this.#stores++}`);
    this.#rounds = 0;
    this.#ledger = new Ledger();
    const random = new Random("load", this.#options.seed, this.#stores);
    const onRefusal = (answer: Answer): void => this.#noteRefusal(answer);
    const { senders } = this.#options;
    return new Load({ maker: this.#maker, ledger: this.#ledger, random, senders, interval: INTERVAL, onRefusal });
  }

  /** Load, faults, the end of the server one way or another, a restart without faults, and a comparison. */
  async #round(kind: RoundKind, result: KindResult): Promise<void> {
    if (this.#rounds++ >= ROUNDS_A_STORE) await this.#newStore();
    result.rounds++;
    if (this.#running === undefined && isFault(kind) && this.#random.chance(0.5)) await this.#failAtStart(kind, result);
    const running = this.#running ?? (await this.#start(kind, result));
    if (running === undefined) return;
    this.#running = undefined;
    const before = this.#ledger.count("acknowledged");
    await this.#loadAndFail(kind, running, result);
    result.acknowledged += this.#ledger.count("acknowledged") - before;
    if (isFault(kind) && this.#random.chance(AT_START)) await this.#failAtStart(kind, result);
    if (isDatabaseDamage(kind)) await this.#damageDatabase(kind, result);
    else if (isQueueDamage(kind)) await this.#damageQueue(kind, result);
    else if (!isFault(kind) && damageLog(kind, this.#directory, this.#random)) result.injected++;
    this.#running = await this.#start(kind, result);
    if (this.#running !== undefined) await this.#compare(kind, this.#running, result);
  }

  /** Sends commands, lets calls fail meanwhile, and ends the server. */
  async #loadAndFail(kind: RoundKind, { server, url }: Running, result: KindResult): Promise<void> {
    const stop = new AbortController();
    const load = this.#load.run(url, stop.signal);
    const random = new Random("maintenance", this.#options.seed, this.#stores, this.#rounds);
    const maintenance = isFault(kind) ? maintain(url, random, stop.signal) : undefined;
    await this.#acknowledge(server, this.#random.integer(5, 40));
    if (isFault(kind)) await this.#fail(kind, server, result);
    await this.#end(server, stop);
    await Promise.all([load, maintenance]);
    this.#shim.off();
  }

  /** Waits until this many more commands have been acknowledged, but not for long. */
  async #acknowledge(server: Server, commands: number): Promise<void> {
    const due = this.#ledger.count("acknowledged") + commands;
    for (const since = Date.now(); Date.now() - since < LONGEST_WAIT; await delay(5)) {
      if (this.#ledger.count("acknowledged") >= due || server.end() !== undefined) return;
    }
  }

  /** A start on a disk that fails, perhaps the first one of this store. */
  async #failAtStart(kind: FaultKind, result: KindResult): Promise<void> {
    this.#shim.on(faultsOf(kind, this.#random));
    const server = startServer({ directory: this.#directory, now: NOW, env: this.#shim.env });
    await Promise.race([server.ended, delay(this.#random.integer(300, 2500))]);
    result.injected += this.#shim.injected();
    this.#shim.off();
    if (server.end() !== undefined) this.#noteEnding(kind, server, "did not start while the disk failed");
    await server.kill();
  }

  async #fail(kind: FaultKind, server: Server, result: KindResult): Promise<void> {
    this.#shim.on(faultsOf(kind, this.#random));
    // Until some calls have failed, and a while longer.
    const due = this.#random.integer(1, 12);
    for (const since = Date.now(); this.#shim.injected() < due && Date.now() - since < LONGEST_FAULT;) {
      if (server.end() !== undefined) break;
      await delay(5);
    }
    await Promise.race([server.ended, delay(this.#random.integer(0, 200))]);
    result.injected += this.#shim.injected();
    if (server.end() !== undefined) {
      result.ended++;
      this.#noteEnding(kind, server, "ended by itself");
    }
    // The disk works again for a while, or not before the server is killed.
    if (this.#random.chance(0.5)) return;
    this.#shim.off();
    await this.#acknowledge(server, this.#random.integer(1, 20));
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

  /**
   * Damage must be reported: by `census verify`, and by the service when it starts or reads what is damaged; then by its
   * status, its metric and its refusal of commands as well.
   */
  async #damageDatabase(kind: DatabaseDamageKind, result: KindResult): Promise<void> {
    const damage = await damageDatabase(kind, this.#directory, this.#random);
    if (damage === undefined) return;
    const { use, restore } = damage;
    result.injected++;
    const { findings } = await verifyDirectory(this.#directory);
    const found = findings.find(({ severity }) => severity === "damaged");
    if (found === undefined) this.#problem(`${kind}: census verify does not report it: ${use}`);
    else count(this.#endings, `census verify: ${withoutPlace(`${found.place}: ${found.problem}`)}`);
    const server = startServer({ directory: this.#directory, now: NOW });
    try {
      const { plain } = await server.ready;
      await this.#readDamaged(kind, use, plain, result);
    } catch (error) {
      result.reported++;
      count(this.#endings, `reported of a damaged file: ${withoutPlace(String(error).split("\n")[0] ?? "")}`);
    } finally {
      await server.kill();
      restore();
    }
  }

  async #damageQueue(kind: QueueDamageKind, result: KindResult): Promise<void> {
    const tried = await tryDamagedQueue(kind, {
      directory: this.#directory,
      ledger: this.#ledger,
      random: this.#random,
      quiet: QUIET,
      onProblem: (text) => this.#problem(text),
    });
    if (tried === undefined) return;
    result.injected++;
    result.lost += tried.lost;
    if (tried.isReported) result.reported++;
    count(this.#endings, withoutPlace(tried.ending));
  }

  /** Reads everything from a server whose file is damaged. @param use what was in the damaged place */
  async #readDamaged(kind: DatabaseDamageKind, use: string, url: string, result: KindResult): Promise<void> {
    using connection = new Connection(url);
    try {
      await settle(url, QUIET);
      const { lost, damaged } = this.#ledger.judge(await storedIn(url));
      const hidden = lost.length + damaged.length;
      if (hidden > 0) this.#problem(`${kind}: runs with ${hidden} commands less and does not report it: ${lost[0]}`);
      result.lost += hidden;
      // A copy has every value of every table.
      const { status, text } = await connection.send("GET", "/pdb/admin/v1/backup");
      if (status !== 200) throw new Error(`backup: ${status} ${text.slice(0, 600)}`);
      // Where the start has restored the block, or its rows are deleted, nothing is missing.
      count(this.#endings, `${kind}: all values could be read: ${use}`);
    } catch (error) {
      result.reported++;
      count(this.#endings, `reported of a damaged file: ${withoutPlace(String(error).split("\n")[0] ?? "")}`);
      const { text } = await connection.send("GET", "/status/v1/services/puppetdb-status");
      const metrics = await connection.send("GET", "/metrics");
      const path = "/pdb/cmd/v1?command=replace_facts&version=5&certname=a.example.com";
      const refused = await connection.send("POST", path, "{}");
      if (!/"state"\s*:\s*"error"/.test(text) || !/"problem"\s*:/.test(text)) {
        this.#problem(`${kind}: the status does not report it: ${text.slice(0, 300)}`);
      }
      if (!/^puppetdb_storage_damages\S* [1-9]/m.test(metrics.text)) {
        this.#problem(`${kind}: the metric does not count it`);
      }
      if (refused.status !== 503 || !/is damaged.*census verify/.test(refused.text)) {
        this.#problem(`${kind}: a command is answered ${refused.status} ${refused.text.slice(0, 300)}`);
      }
    }
  }

  async #compare(kind: RoundKind, { url }: Running, result: KindResult): Promise<void> {
    const verdict = this.#ledger.judge(await storedIn(url));
    const bad = Object.entries(verdict) as [keyof Verdict, readonly string[]][];
    for (const [what, list] of bad) {
      result[what] += list.length;
      const examples = list.slice(0, 3).join("; ");
      if (list.length > 0) this.#problem(`${kind}, round ${result.rounds}: ${list.length} ${what}: ${examples}`);
    }
    // What is lost once would be counted again after each further round.
    if (bad.some(([, list]) => list.length > 0)) await this.#newStore();
  }

  /** Starts a server on a disk that works, and waits until it has stored everything in its queue. */
  async #start(kind: RoundKind, result: KindResult): Promise<Running | undefined> {
    const server = startServer({ directory: this.#directory, now: NOW, env: this.#shim.env });
    try {
      const late = delay(START, undefined, { ref: false }).then(() => Promise.reject(new Error("not ready in time")));
      const { plain } = await Promise.race([server.ready, late]);
      await settle(plain);
      return { server, url: plain };
    } catch (error) {
      this.#problem(`${kind}: does not run: ${String(error).slice(0, 700)} ${server.log().slice(-700)}`);
      this.#noteEnding(kind, server, "did not start");
      result.refusedStarts++;
      await server.kill();
      await this.#newStore();
      return undefined;
    }
  }

  /** Commands may be refused while the disk fails, but with the reason and what to do. */
  #noteRefusal({ status, text }: Answer): void {
    count(this.#refusals, `${status} ${withoutPlace(text)}`);
    const hasRemedy = /(?:then try again|try again later|try again in a few seconds|census verify)/.test(text);
    if (status !== 503 || !hasRemedy) this.#problem(`a command was refused with ${status} ${text}`);
  }

  /**
   * A server may end by itself with a message, but not by a signal that the campaign did not send. One such end is known: where a commit
   * can neither be written to the engine's log nor be cut off it, the engine ends the process.
   */
  #noteEnding(kind: RoundKind, server: Server, what: string): void {
    const end = server.end() ?? "killed";
    const lines = server.log().trim().split("\n");
    const ending = `${what} (${end}): ${withoutPlace(lines.at(-1) ?? "")}`;
    count(this.#endings, ending);
    // A campaign that is stopped does not come to its report.
    if (what === "ended by itself") this.#options.progress(`${kind}: ${ending}`);
    const isKnown =
      end === "SIGABRT" && lines.includes("terminate called after throwing an instance of 'duckdb::IOException'");
    const isSignal = end.startsWith("SIG");
    if (isSignal && !(isKnown && cutsFail(kind)))
      this.#problem(`${kind}: ended with ${end}; its last lines:\n${lines.slice(-20).join("\n")}`);
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

/** Has the server checkpoint, compact and copy its file until it ends: calls that a load of commands makes rarely. */
async function maintain(url: string, random: Random, signal: AbortSignal): Promise<void> {
  using connection = new Connection(url);
  const clean = (...payload: readonly string[]) =>
    connection.send("POST", "/pdb/admin/v1/cmd", JSON.stringify({ command: "clean", version: 1, payload }), 5000);
  const operations = [
    [() => clean("gc_fact_paths"), 3],
    [() => clean("other"), 1],
    [() => connection.send("GET", "/pdb/admin/v1/backup", undefined, 5000), 1],
  ] as const;
  try {
    while (!signal.aborted) {
      await random.weighted(operations)();
      await delay(random.integer(100, 600));
    }
  } catch {
    // The server has ended, or its disk has.
  }
}
