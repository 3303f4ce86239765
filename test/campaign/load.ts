import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "#fixtures/random.ts";
import { type CampaignCommand, type CommandMaker, wire } from "./commands.ts";
import { type Answer, Connection } from "./http.ts";
import type { Ledger } from "./ledger.ts";

/** Several clients that send commands, each about its own nodes, so that it knows which command was the last. */
export interface LoadOptions {
  readonly maker: CommandMaker;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly senders: number;
  /** Nodes that each client sends commands about; default 3. */
  readonly nodes?: number;
  /** Milliseconds from one command of a client to the next, or until the answer if that takes longer; default 0. */
  readonly interval?: number;
  /** Milliseconds that an answer to a command may take; default 15 s. */
  readonly limit?: number;
  /** Receives how long the answer to each command took, in milliseconds. */
  readonly onAnswer?: (ms: number) => void;
  /** Receives answers other than 200. */
  readonly onRefusal?: (answer: Answer) => void;
}

const NODES = 3;
/** Milliseconds that a client which is late catches up on. */
const CAUGHT_UP = 1000;
/** Milliseconds that a client waits after a refusal. */
const AFTER_REFUSAL = 20;
const ANSWER_LIMIT = 15_000;

export class Load {
  readonly #options: LoadOptions;
  #number = 1;
  /** Reports whose answer never came: clients send such ones again. */
  readonly #unknown: CampaignCommand[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** A number for a command that is not sent by this load. */
  nextNumber(): number {
    return this.#number++;
  }

  /** Sends commands until the signal, or until the server has ended. */
  async run(url: string, signal: AbortSignal): Promise<void> {
    const senders = Array.from({ length: this.#options.senders }, (_, sender) => this.#send(url, sender, signal));
    await Promise.all(senders);
  }

  async #send(url: string, sender: number, signal: AbortSignal): Promise<void> {
    const { ledger, onRefusal, onAnswer, interval = 0, limit = ANSWER_LIMIT } = this.#options;
    using connection = new Connection(url);
    let due = performance.now();
    while (!signal.aborted) {
      const command = this.#next(sender);
      ledger.sent(command);
      let answer: Answer;
      const sent = performance.now();
      try {
        answer = await post(connection, command, limit);
      } catch {
        if (command.kind === "report") this.#unknown.push(command);
        // The server has ended, or has not answered in time.
        return;
      }
      onAnswer?.(performance.now() - sent);
      if (answer.status === 200) {
        ledger.answered(command.number, "acknowledged");
        due = Math.max(due + interval, performance.now() - CAUGHT_UP);
        if (due > performance.now()) await delay(due - performance.now());
      } else {
        ledger.answered(command.number, "refused");
        onRefusal?.(answer);
        await delay(AFTER_REFUSAL);
      }
    }
  }

  #next(sender: number): CampaignCommand {
    const { maker, random, nodes = NODES } = this.#options;
    const again = random.chance(0.5) ? this.#unknown.pop() : undefined;
    if (again !== undefined) return again;
    const kind = random.weighted([
      ["report", 5],
      ["facts", 3],
      ["catalog", 2],
    ] as const);
    const certname = `node-${sender}-${random.integer(1, nodes)}.example.com`;
    return maker.make(kind, certname, this.nextNumber());
  }
}

async function post(
  connection: Connection,
  { kind, certname, payload }: CampaignCommand,
  limit: number,
): Promise<Answer> {
  const { command, version } = wire[kind];
  const path = `/pdb/cmd/v1?command=${command}&version=${version}&certname=${certname}`;
  return connection.send("POST", path, payload, limit);
}
