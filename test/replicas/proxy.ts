import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** What a network does with what it is given: `swallow` keeps connections open and lets nothing through. */
export type Manner = "pass" | "swallow" | "swallow answers" | "refuse";

/** A network between a server and its database, on the loopback address. */
export class Proxy implements AsyncDisposable {
  manner: Manner = "pass";
  /** The port to which new connections lead. */
  target: number;
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.port = port;
    this.target = target;
  }

  /** @param target the port to which it leads */
  static async start(target: number): Promise<Proxy> {
    const server = createServer({ allowHalfOpen: false }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no free port");
    const proxy = new Proxy(server, address.port, target);
    server.on("connection", (client) => proxy.#join(client));
    return proxy;
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
  }

  #join(client: Socket): void {
    if (this.manner === "refuse") {
      client.destroy();
      return;
    }
    const database = connect(this.target, "127.0.0.1");
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes) => {
        const isSwallowed = this.manner === "swallow" || (this.manner === "swallow answers" && from === database);
        if (!isSwallowed) to.write(bytes);
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
