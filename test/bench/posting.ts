import { WireConnection } from "./wire.ts";

/** A command as it goes over the wire. */
export interface WireCommand {
  /** path and parameters */
  readonly target: string;
  readonly body: Buffer;
}

/** Requests on each connection before those that count. */
const WARM_UPS = 200;

/** Sends commands over connections that stay open, one at a time on each. */
export class CommandPoster {
  readonly #connections: readonly WireConnection[];

  private constructor(connections: readonly WireConnection[]) {
    this.#connections = connections;
  }

  /** @param url of the server */
  static async open(url: string, connections: number): Promise<CommandPoster> {
    return new CommandPoster(await Promise.all(Array.from({ length: connections }, () => WireConnection.open(url))));
  }

  /** Sends small requests on each connection until V8 has compiled the code for sending. */
  async warmUp(): Promise<void> {
    await Promise.all(this.#connections.map(sendOften));
  }

  /**
   * Sends all of them, each as soon as a connection is free.
   * @returns how many they were
   * @throws Error for the first command that is not accepted
   */
  async postAll(commands: Iterable<WireCommand>): Promise<number> {
    const waiting = commands[Symbol.iterator]();
    let count = 0;
    const send = async (connection: WireConnection): Promise<void> => {
      for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
        const { target, body } = next.value;
        const answer = await connection.post(target, body);
        if (answer.status !== 200)
          throw new Error(`${target}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
        count++;
      }
    };
    await Promise.all(this.#connections.map(send));
    return count;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

async function sendOften(connection: WireConnection): Promise<void> {
  for (let time = 0; time < WARM_UPS; time++) await connection.get("/pdb/meta/v1/version");
}
