import type { Random } from "#fixtures/random.ts";
import { type CampaignCommand, type CommandMaker, wire } from "./commands.ts";
import { type Answer, Connection } from "./http.ts";
import type { Ledger } from "./ledger.ts";

/** Several clients that send commands, each about nodes of its own, so that it knows what came last. */
export interface LoadOptions {
  readonly maker: CommandMaker;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly senders: number;
  /** Gets what was refused with. */
  readonly onRefusal?: (answer: Answer) => void;
}

const NODES_PER_SENDER = 3;
/** How long (ms) a client waits that was refused. */
const AFTER_REFUSAL = 20;
/** How long (ms) an answer to a command may take. */
const PATIENCE = 15_000;

export class Load {
  readonly #options: LoadOptions;
  #number = 1;
  /** Reports whose answer never came: clients send such ones again. */
  readonly #unknown: CampaignCommand[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** A number for a command that goes another way. */
  nextNumber(): number {
    return this.#number++;
  }

  /** Sends commands until the signal, or until the server is gone. */
  async run(url: string, signal: AbortSignal): Promise<void> {
    const senders = Array.from({ length: this.#options.senders }, (_, sender) => this.#send(url, sender, signal));
    await Promise.all(senders);
  }

  async #send(url: string, sender: number, signal: AbortSignal): Promise<void> {
    const { ledger, onRefusal } = this.#options;
    using connection = new Connection(url);
    while (!signal.aborted) {
      const command = this.#next(sender);
      ledger.sent(command);
      let answer: Answer;
      try {
        answer = await post(connection, command);
      } catch {
        if (command.kind === "report") this.#unknown.push(command);
        // Nobody is there any more, or has been silent for too long.
        return;
      }
      if (answer.status === 200) ledger.answered(command.number, "acknowledged");
      else {
        ledger.answered(command.number, "refused");
        onRefusal?.(answer);
        await new Promise((resolve) => setTimeout(resolve, AFTER_REFUSAL));
      }
    }
  }

  #next(sender: number): CampaignCommand {
    const { maker, random } = this.#options;
    const again = random.chance(0.5) ? this.#unknown.pop() : undefined;
    if (again !== undefined) return again;
    const kind = random.weighted([
      ["report", 5],
      ["facts", 3],
      ["catalog", 2],
    ] as const);
    const certname = `node-${sender}-${random.integer(1, NODES_PER_SENDER)}.example.com`;
    return maker.make(kind, certname, this.nextNumber());
  }
}

async function post(connection: Connection, { kind, certname, payload }: CampaignCommand): Promise<Answer> {
  const { command, version } = wire[kind];
  const path = `/pdb/cmd/v1?command=${command}&version=${version}&certname=${certname}`;
  return connection.send("POST", path, payload, PATIENCE);
}
