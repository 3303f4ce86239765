import { Agent, request, type IncomingMessage } from "node:http";

/** A command as it goes over the wire. */
export interface WireCommand {
  /** path and parameters */
  readonly target: string;
  readonly body: Buffer;
}

/** Sends commands over connections that stay open, one at a time on each. */
export class CommandPoster {
  readonly #url: URL;
  readonly #connections: number;
  readonly #agent: Agent;

  constructor(url: string, connections: number) {
    this.#url = new URL(url);
    this.#connections = connections;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /**
   * Sends all of them, each as soon as a connection is free.
   * @returns how many they were
   * @throws Error for the first command that is not accepted
   */
  async postAll(commands: Iterable<WireCommand>): Promise<number> {
    const waiting = commands[Symbol.iterator]();
    let count = 0;
    const connection = async (): Promise<void> => {
      for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
        await this.#post(next.value);
        count++;
      }
    };
    await Promise.all(Array.from({ length: this.#connections }, connection));
    return count;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #post({ target, body }: WireCommand): Promise<void> {
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request({
        host: this.#url.hostname,
        port: this.#url.port,
        method: "POST",
        path: target,
        agent: this.#agent,
        headers: { "content-type": "application/json", accept: "application/json", "content-length": body.length },
      });
      sent.on("error", reject);
      sent.on("response", (answer: IncomingMessage) => {
        let received = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => (received += chunk));
        answer.on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: received }));
      });
      sent.end(body);
    });
    if (status !== 200) throw new Error(`${target}: ${status} ${text.slice(0, 300)}`);
  }
}
