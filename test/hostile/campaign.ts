import { setTimeout as delay } from "node:timers/promises";
import type { Attack, Outcome } from "./attack.ts";
import { Findings } from "./findings.ts";
import { messagesOf, normalised, problemOf } from "./judge.ts";
import { attackAt, type Kind } from "./kinds/index.ts";
import { Sender } from "./send.ts";
import { shrink } from "./shrink.ts";
import { figuresOf, type Gap, type StatusFigures, type StatusWatch, watchStatus } from "./status-watch.ts";
import type { Subject } from "./subject.ts";

export interface CampaignOptions {
  readonly count: number;
  readonly seed: number;
  /** The first request's place in the sequence of the seed. */
  readonly start: number;
  readonly only: Kind | undefined;
  readonly connections: number;
  /** Milliseconds after which a request without its whole answer hangs. */
  readonly hangLimit: number;
  /** Milliseconds within which `/status` has to answer. */
  readonly statusLimit: number;
  /** Seconds of rest before memory is measured at the end. */
  readonly rest: number;
  readonly progress: (line: string) => void;
}

export interface Result {
  readonly sent: number;
  readonly seconds: number;
  /** How many answers had which status; `cut` where there was none. */
  readonly statuses: ReadonlyMap<string, number>;
  /** How often a deliberate 503 came, by its text. */
  readonly unavailable: ReadonlyMap<string, number>;
  readonly status: StatusFigures;
  /** Bytes: after the first thousand requests, the most, after the rest at the end. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number };
  readonly restarts: number;
  /** Slow answers, of the status and others, that no request repeated when it was sent alone. */
  readonly unexplained: number;
  readonly findings: Findings;
}

/** A request in progress, or one that ended a moment ago. */
interface Flight {
  readonly index: number;
  readonly attack: Attack;
  readonly from: number;
  until: number;
}

/** Milliseconds that a server may keep a silent connection open. */
const SILENCE = 60_000;

const STATUS: Attack = {
  transport: "http",
  kind: "status",
  route: "status",
  method: "GET",
  path: "/status/v1/simple",
  parameters: [],
  headers: {},
};

/** Requests between two comparisons of the known answers. */
const ROUND = 1000;
/** Attacks that may be tried to make one smaller. */
const BUDGET = 120;
/** How long ago a request may have ended that is still suspected, ms. */
const RECENT = 300;
/** How long requests that have ended are remembered, ms. */
const REMEMBERED = 5000;
/** Memory may stay larger by this factor and this many bytes. */
const MEMORY_FACTOR = 1.5;
const MEMORY_SLACK = 256 * 1024 * 1024;

/** Attacks a server, and finds out which request did what. */
export class Campaign {
  readonly #options: CampaignOptions;
  readonly #findings = new Findings();
  readonly #statuses = new Map<string, number>();
  readonly #unavailable = new Map<string, number>();
  readonly #flights = new Set<Flight>();
  readonly #recent: Flight[] = [];
  #subject: Subject;
  #sender: Sender;
  #watch: StatusWatch;
  #latencies: number[] = [];
  #gaps: Gap[] = [];
  #next = 0;
  #sent = 0;
  #nextRound = ROUND;
  #restarts = 0;
  #unexplained = 0;
  /** Set while something is looked into; nothing else is sent meanwhile. */
  #pause: Promise<void> | undefined;
  #memory = { before: 0, most: 0, after: 0 };

  constructor(subject: Subject, options: CampaignOptions) {
    this.#options = options;
    this.#subject = subject;
    this.#sender = new Sender(subject.target, options.connections);
    this.#watch = this.#watchStatus();
  }

  async run(): Promise<Result> {
    const started = performance.now();
    const { connections } = this.#options;
    await Promise.all(Array.from({ length: connections }, () => this.#attackOn()));
    const seconds = (performance.now() - started) / 1000;
    await this.#lookAtKnown();
    await this.#stopWatch();
    await this.#lookAtMemory();
    this.#sender[Symbol.dispose]();
    await this.#subject.close();
    return {
      sent: this.#sent,
      seconds,
      statuses: this.#statuses,
      unavailable: this.#unavailable,
      status: figuresOf(this.#latencies),
      memory: this.#memory,
      restarts: this.#restarts,
      unexplained: this.#unexplained,
      findings: this.#findings,
    };
  }

  async #attackOn(): Promise<void> {
    const { count, seed, start, only } = this.#options;
    for (;;) {
      while (this.#pause !== undefined) await this.#pause;
      if (this.#next >= count) return;
      const index = start + this.#next++;
      const flight: Flight = { index, attack: attackAt(seed, index, only), from: Date.now(), until: Infinity };
      this.#flights.add(flight);
      const outcome = await this.#sender.send(flight.attack, this.#options.hangLimit);
      this.#flights.delete(flight);
      flight.until = Date.now();
      this.#sent++;
      this.#count(outcome);
      this.#recent.push(flight);
      while ((this.#recent[0]?.until ?? Infinity) < Date.now() - REMEMBERED) this.#recent.shift();
      await this.#judge(flight, outcome);
      if (this.#sent < this.#nextRound) continue;
      this.#nextRound += ROUND;
      await this.#exclusively(() => this.#lookAtKnown());
    }
  }

  #count({ status, failure, text }: Outcome): void {
    const name = status === 0 ? (failure ?? "cut") : String(status);
    this.#statuses.set(name, (this.#statuses.get(name) ?? 0) + 1);
    if (status !== 503) return;
    const why = normalised(text);
    this.#unavailable.set(why, (this.#unavailable.get(why) ?? 0) + 1);
  }

  async #judge(flight: Flight, outcome: Outcome): Promise<void> {
    if (this.#subject.server?.end() !== undefined) return this.#exclusively(() => this.#lookAtEnd());
    const problem = problemOf(flight.attack, outcome);
    if (problem !== undefined) return this.#exclusively(() => this.#lookInto(flight, outcome, problem));
    if (this.#gaps.length > 0) return this.#exclusively(() => this.#lookAtGaps());
  }

  /** Runs `work` while nothing else is sent. */
  async #exclusively(work: () => Promise<void>): Promise<void> {
    while (this.#pause !== undefined) await this.#pause;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pause = promise;
    try {
      // Requests in progress end, or hang long enough to be found.
      for (const since = Date.now(); this.#flights.size > 0 && Date.now() - since < this.#options.hangLimit + 1000;)
        await delay(5);
      await work();
    } finally {
      this.#pause = undefined;
      resolve();
    }
  }

  /** Sends the attack again, alone: what is printed then belongs to it. */
  async #lookInto(flight: Flight, first: Outcome, problem: string): Promise<void> {
    const { attack, index } = flight;
    if (this.#subject.server?.end() !== undefined) return this.#lookAtEnd();
    if (problem === "hang") return this.#lookForHang(flight);
    const { outcome, printed } = await this.#sendAlone(attack);
    const again = outcome === undefined ? undefined : problemOf(attack, outcome);
    if (again !== problem) {
      const detail = `${first.text.slice(0, 500)}\nwas not repeated when it was sent alone`;
      return this.#report(`${attack.route}: ${problem}, not repeated`, { problem, detail, attack, index });
    }
    const message = messagesOf(printed)[0] ?? outcome?.text.slice(0, 300) ?? "";
    const key = keyOf(attack, problem, message);
    if (!this.#findings.isNew(key)) return;
    const same = async (smaller: Attack): Promise<boolean> => {
      const { outcome, printed } = await this.#sendAlone(smaller);
      if (outcome === undefined || problemOf(smaller, outcome) !== problem) return false;
      return keyOf(smaller, problem, messagesOf(printed)[0] ?? outcome.text.slice(0, 300)) === key;
    };
    const small = await shrink(attack, same, BUDGET);
    this.#add(key, {
      problem,
      detail: `${message}\n${outcome?.text.slice(0, 500)}\n${printed.slice(-2000)}`,
      attack: small,
      index,
    });
  }

  /** A request hangs: by itself, or because another one holds up everything. */
  async #lookForHang({ attack, index, from }: Flight): Promise<void> {
    if (this.#findings.has(`${attack.route}: hang`)) return;
    const suspects = this.#suspects(from, Date.now()).sort((a, b) => sizeOf(b.attack) - sizeOf(a.attack));
    if (await this.#isHeldUp()) await this.#startAfresh("answers nothing");
    for (const suspect of [...suspects.filter((other) => other.index === index), ...suspects].slice(0, 30)) {
      const { outcome } = await this.#sendAlone(suspect.attack);
      const end = this.#subject.server?.end();
      if (end !== undefined) return this.#lookAtEnd([suspect]);
      if (outcome === undefined || problemOf(suspect.attack, outcome) !== "hang") continue;
      const isHeldUp = await this.#isHeldUp();
      const detail = `no answer within ${this.#options.hangLimit} ms when it was sent alone${isHeldUp ? "; everybody else waits" : ""}`;
      if (isHeldUp) await this.#startAfresh("answers nothing");
      const key = `${suspect.attack.route}: hang${isHeldUp ? ", others wait" : ""}`;
      return this.#report(key, { problem: "hang", detail, attack: suspect.attack, index: suspect.index });
    }
    // The load of the machine was the cause, not one request.
    this.#unexplained++;
  }

  /** Whether not even the status is answered. */
  async #isHeldUp(): Promise<boolean> {
    const { failure } = await this.#sender.send(STATUS, 2 * this.#options.statusLimit);
    return failure === "timeout";
  }

  async #startAfresh(why: string): Promise<void> {
    await this.#subject.server?.kill();
    await this.#restart(why, []);
  }

  /** The server has ended: starts it again, and sends each of the suspects alone. */
  async #lookAtEnd(known?: readonly Flight[]): Promise<void> {
    const { server } = this.#subject;
    const how = server?.end();
    if (server === undefined || how === undefined) return;
    const printed = server.log().slice(-2000).trim();
    const suspects = known ?? this.#suspects(Date.now() - RECENT, Date.now());
    await this.#restart(`ended with ${how}: ${printed.slice(-500)}`, suspects);
    for (const { attack, index } of suspects) {
      const { outcome } = await this.#sendAlone(attack);
      const end = await this.#endSoon(outcome === undefined ? 3000 : 150);
      if (end === undefined) continue;
      const detail = this.#subject.server?.log().slice(-1500).trim() ?? "";
      await this.#restart(`ended with ${end}`, [{ attack, index }]);
      return this.#report(`${attack.route}: process ended: ${normalised(end)}`, {
        problem: "process ended",
        detail,
        attack,
        index,
      });
    }
    const [first] = suspects;
    const detail = `${printed}\nnone of ${suspects.length} suspects alone ended it`;
    const index = first?.index ?? 0;
    this.#report(`process ended with ${how}, not repeated`, {
      problem: "process ended",
      detail,
      attack: undefined,
      index,
    });
  }

  async #endSoon(ms: number): Promise<string | undefined> {
    const { server } = this.#subject;
    return server === undefined ? undefined : Promise.race([server.ended, delay(ms, undefined)]);
  }

  async #restart(why: string, suspects: readonly { attack: Attack; index: number }[]): Promise<void> {
    this.#restarts++;
    this.#options.progress(`the server ${why.split("\n")[0]}; it is started again`);
    await this.#stopWatch();
    const { subject, refused } = await this.#subject.restart();
    this.#subject = subject;
    this.#sender[Symbol.dispose]();
    this.#sender = new Sender(subject.target, this.#options.connections);
    this.#watch = this.#watchStatus();
    this.#gaps = [];
    if (refused === undefined) return;
    const [first] = suspects;
    this.#report(`does not start again: ${normalised(refused)}`, {
      problem: "does not start again",
      detail: refused,
      attack: suspects.length === 1 ? first?.attack : undefined,
      index: first?.index ?? 0,
    });
  }

  /** `/status` was slow: sends each of the suspects alone to find the one that did it. */
  async #lookAtGaps(): Promise<void> {
    const gaps = this.#gaps.splice(0);
    const from = Math.min(...gaps.map((gap) => gap.from));
    const until = Math.max(...gaps.map((gap) => gap.until));
    const suspects = this.#suspects(from, until).filter(({ attack }) => attack.transport === "http" || gaps.length > 1);
    suspects.sort((a, b) => sizeOf(b.attack) - sizeOf(a.attack));
    for (const { attack, index } of suspects.slice(0, 40)) {
      await this.#sendAlone(attack);
      // A watch that waits for a response reports it when it has arrived.
      await delay(50);
      const [gap] = this.#gaps.splice(0);
      if (gap === undefined) continue;
      const detail = `/status took ${gap.until - gap.from} ms while this was answered alone`;
      return this.#report(`${attack.route}: others wait`, { problem: "slow /status", detail, attack, index });
    }
    this.#unexplained++;
  }

  #suspects(from: number, until: number): Flight[] {
    const all = [...this.#recent, ...this.#flights];
    return all.filter((flight) => flight.from <= until && flight.until >= from).reverse();
  }

  async #sendAlone(attack: Attack): Promise<{ outcome: Outcome | undefined; printed: string }> {
    const { server } = this.#subject;
    if (server?.end() !== undefined) await this.#restart("had ended", []);
    const before = this.#subject.server?.logged() ?? 0;
    // A connection that says nothing may be kept open for some time.
    const limit = attack.transport === "http" ? this.#options.hangLimit : SILENCE;
    const outcome = await this.#sender.send(attack, limit);
    // Output arrives on another pipe than the response.
    await delay(5);
    const printed = this.#subject.server?.logSince(before) ?? "";
    return { outcome: this.#subject.server?.end() === undefined ? outcome : undefined, printed };
  }

  async #lookAtKnown(): Promise<void> {
    const memory = this.#subject.server?.memory() ?? 0;
    if (this.#memory.before === 0) this.#memory.before = memory;
    this.#memory.most = Math.max(this.#memory.most, memory);
    const changed = await this.#subject.changed().catch((error: unknown) => `no answer: ${String(error)}`);
    if (changed !== undefined && this.#subject.server?.end() === undefined) {
      const index = this.#options.start + this.#next;
      this.#report("a known answer has changed", {
        problem: "other answer",
        detail: changed,
        attack: undefined,
        index,
      });
    }
    if (this.#subject.server?.end() !== undefined) await this.#lookAtEnd();
    if (this.#nextRound % (10 * ROUND) === ROUND) {
      this.#options.progress(`${this.#sent} sent, ${this.#findings.size} findings, ${Math.round(memory / 2 ** 20)} MB`);
    }
  }

  async #lookAtMemory(): Promise<void> {
    const { server } = this.#subject;
    if (server === undefined) return;
    const { before } = this.#memory;
    const enough = before * MEMORY_FACTOR + MEMORY_SLACK;
    for (const since = Date.now(); Date.now() - since < this.#options.rest * 1000 && server.memory() > before;)
      await delay(250);
    this.#memory.after = server.memory();
    if (this.#memory.after <= enough || this.#restarts > 0) return;
    const detail = `${Math.round(before / 2 ** 20)} MB after the first ${ROUND} requests, ${Math.round(this.#memory.after / 2 ** 20)} MB after a rest at the end`;
    this.#report("memory stays", { problem: "memory stays", detail, attack: undefined, index: this.#next });
  }

  #watchStatus(): StatusWatch {
    return watchStatus(this.#subject.target.url, this.#options.statusLimit, (gap) => this.#gaps.push(gap));
  }

  async #stopWatch(): Promise<void> {
    // One at a time, for a long campaign has more of them than one call may have arguments.
    for (const latency of await this.#watch.stop()) this.#latencies.push(latency);
  }

  #report(key: string, finding: { problem: string; detail: string; attack: Attack | undefined; index: number }): void {
    if (this.#findings.isNew(key)) this.#add(key, finding);
  }

  #add(key: string, finding: { problem: string; detail: string; attack: Attack | undefined; index: number }): void {
    this.#findings.add({ key, ...finding });
    this.#options.progress(`FOUND ${key} (request ${finding.index})`);
  }
}

function keyOf(attack: Attack, problem: string, message: string): string {
  // A fault that names its cause is one defect on any route; its path is the first word of the message.
  const cause = normalised(message.replace(/^[A-Z]+ \S+: /, ""));
  return cause === "" || problem.includes("JSON") ? `${attack.route}: ${problem}` : `${problem}: ${cause}`;
}

function sizeOf(attack: Attack): number {
  if (attack.transport !== "http") return 0;
  return (attack.body?.length ?? 0) + attack.parameters.reduce((sum, [, value]) => sum + value.length, 0);
}
