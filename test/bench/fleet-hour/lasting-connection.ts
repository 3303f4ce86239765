import { type WireAnswer, WireConnection } from "../wire.ts";

/** A connection that is opened again when the server has closed it, as a server does with one that is idle for long. */
export class LastingConnection {
  readonly #url: string;
  #connection: WireConnection | undefined;

  /** @param url of the server */
  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request, and once more over a new connection where the first was closed. */
  async request(send: (connection: WireConnection) => Promise<WireAnswer>): Promise<WireAnswer> {
    if (this.#connection !== undefined) {
      try {
        return await send(this.#connection);
      } catch {
        this.#connection.close();
      }
    }
    this.#connection = await WireConnection.open(this.#url);
    return send(this.#connection);
  }

  close(): void {
    this.#connection?.close();
  }
}

/** Connections that are opened with their first request. */
export function lastingConnections(url: string, count: number): LastingConnection[] {
  return Array.from({ length: count }, () => new LastingConnection(url));
}
