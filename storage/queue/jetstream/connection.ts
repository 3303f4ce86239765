import { readFileSync } from "node:fs";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { CensusError, messageOf } from "../../errors.ts";
import { type Place, readSecret, readText, serverNameOf, serversText } from "../shared/address.ts";
import { type Address, placeOf } from "./address.ts";

/** Milliseconds for connecting to one server. */
const CONNECTING = 3000;

/** Milliseconds after which a request without an answer fails. */
const ANSWER = 2000;

/** Milliseconds between checks whether the server is still there. */
const PING = 1000;

/** A connection to one server of the cluster. It is not made anew by itself: whoever uses it notices that it has ended. */
export class Connection {
  readonly stream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly #nats: NatsConnection;
  readonly #server: string;
  #hasEnded = false;

  private constructor(
    nats: NatsConnection,
    server: string,
    parts: { readonly stream: JetStreamClient; readonly manager: JetStreamManager },
  ) {
    this.#nats = nats;
    this.#server = server;
    this.stream = parts.stream;
    this.manager = parts.manager;
  }

  /**
   * Connects to the first server that runs JetStream.
   * @param onEnd is called when the connection has ended
   * @throws CensusError "unavailable" with the reason of each server
   */
  static async open(address: Address, onEnd?: () => void): Promise<Connection> {
    const reasons: string[] = [];
    for (const server of address.servers) {
      try {
        return await Connection.#openOne(address, server, onEnd);
      } catch (error) {
        reasons.push(`${serversText([server])}: ${messageOf(error)}`);
      }
    }
    throw new CensusError(
      "unavailable",
      `${placeOf(address)}: the command log cannot be reached: ${reasons.join("; ")}`,
    );
  }

  static async #openOne(address: Address, server: Place, onEnd: (() => void) | undefined): Promise<Connection> {
    const [{ connect }, { jetstream, jetstreamManager }] = await Promise.all([
      import("@nats-io/transport-node"),
      import("@nats-io/jetstream"),
    ]);
    const nats = await connect({
      servers: serversText([server]),
      name: "census",
      timeout: CONNECTING,
      reconnect: false,
      ignoreClusterUpdates: true,
      pingInterval: PING,
      ...(await loginOf(address)),
      tls: await tlsOf(address, server),
    });
    const options = { timeout: ANSWER };
    const manager = await jetstreamManager(nats, { ...options, checkAPI: false });
    const connection = new Connection(nats, serversText([server]), { stream: jetstream(nats, options), manager });
    void connection.#untilClosed(onEnd);
    return connection;
  }

  async #untilClosed(onEnd: (() => void) | undefined): Promise<void> {
    await this.#nats.closed();
    this.#hasEnded = true;
    onEnd?.();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Bytes that one message may have. */
  get maxBytes(): number {
    return this.#nats.info?.max_payload ?? 1024 * 1024;
  }

  /** Whether the server belongs to a cluster. */
  get isClustered(): boolean {
    return this.#nats.info?.cluster !== undefined;
  }

  /** Sends a message that is not kept. */
  notify(subject: string, text: string): void {
    if (!this.#hasEnded) this.#nats.publish(subject, text);
  }

  /** Calls back with the text of each message that is sent by {@link notify}. */
  listen(subject: string, receive: (text: string) => void): void {
    const callback = (error: Error | null, message: { string(): string }): void => {
      if (error === null) receive(message.string());
    };
    this.#nats.subscribe(subject, { callback });
  }

  /**
   * Runs requests. The connection is ended where the server does not answer, so that another one is tried.
   * @throws Error that names the server which does not answer; errors of the server
   */
  async request<T>(work: (connection: this) => Promise<T>): Promise<T> {
    try {
      return await work(this);
    } catch (error) {
      if (!(error instanceof Error) || "code" in error || error instanceof CensusError) throw error;
      this.destroy();
      const reason = /timeout/i.test(error.message) ? `has not answered for ${ANSWER} ms` : error.message;
      throw new Error(`${this.#server}: ${reason}`, { cause: error });
    }
  }

  /** Ends it properly. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    const timer = setTimeout(() => this.destroy(), CONNECTING);
    await this.#nats.flush().catch(() => undefined);
    clearTimeout(timer);
    this.destroy();
  }

  /** Ends it at once. */
  destroy(): void {
    this.#hasEnded = true;
    this.#nats.close().catch(() => undefined);
  }
}

/** The server's code of an error, e.g. 10071 where the last sequence is another one; undefined: it is not the server's. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : undefined;
}

/** Codes of JetStream's errors. */
export const codes = { streamNotFound: 10_059, streamExists: 10_058, wrongLastSequence: 10_071 } as const;

async function loginOf({ user, password, passwordFile, credentials }: Address): Promise<object> {
  const secret = passwordFile === undefined ? password : await readSecret(passwordFile);
  if (credentials !== undefined) {
    const { credsAuthenticator } = await import("@nats-io/transport-node");
    // Reports a file that cannot be read.
    await readText(credentials);
    return { authenticator: credsAuthenticator(() => readFileSync(credentials)) };
  }
  if (user !== undefined) return { user, pass: secret ?? "" };
  return secret === undefined ? {} : { token: secret };
}

/** The options of TLS; files are read at each connection, so that renewed certificates are used. */
async function tlsOf({ tls }: Address, { host }: Place): Promise<object | null> {
  const { mode, authorities, certificate, key } = tls;
  if (mode === "disable") return null;
  return {
    rejectUnauthorized: mode === "verify",
    servername: serverNameOf(host),
    ...(authorities === undefined ? {} : { ca: await readText(authorities) }),
    ...(certificate === undefined ? {} : { cert: await readText(certificate) }),
    ...(key === undefined ? {} : { key: await readText(key) }),
  };
}
