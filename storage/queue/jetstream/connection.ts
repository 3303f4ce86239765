import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { CensusError, messageOf } from "../../errors.ts";
import { type Place, readSecret, readText, serverNameOf, serversText } from "../shared/address.ts";
import { type Address, placeOf } from "./address.ts";

/** Milliseconds for connecting to one server. */
const CONNECTING = 3000;

/** Milliseconds after which a request without an answer fails, so that another server is tried. */
const ANSWER = 2000;

/** Milliseconds for what takes a cluster longer, such as making streams, or choosing who leads. */
export const PATIENCE = 15_000;

/** Milliseconds before requests run again. */
const AGAIN = 100;

/** Milliseconds between checks whether the server is still there. */
const PING = 1000;

export interface ConnectionOptions {
  /** Milliseconds after which a request without an answer fails; default: 2 seconds. */
  readonly answer?: number;
  /** The connection has ended. */
  readonly onEnd?: () => void;
}

/** A connection to one server of the cluster. It is not made anew by itself: whoever uses it notices that it has ended. */
export class Connection {
  readonly stream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly #nats: NatsConnection;
  readonly #server: string;
  readonly #answer: number;
  #hasEnded = false;

  private constructor(
    nats: NatsConnection,
    server: string,
    parts: { readonly stream: JetStreamClient; readonly manager: JetStreamManager; readonly answer: number },
  ) {
    this.#nats = nats;
    this.#server = server;
    this.#answer = parts.answer;
    this.stream = parts.stream;
    this.manager = parts.manager;
  }

  /**
   * Connects to the first server that runs JetStream.
   * @throws CensusError "unavailable" with the reason of each server
   */
  static async open(address: Address, options: ConnectionOptions = {}): Promise<Connection> {
    const reasons: string[] = [];
    for (const server of address.servers) {
      try {
        return await Connection.#openOne(address, server, options);
      } catch (error) {
        reasons.push(`${serversText([server])}: ${messageOf(error)}`);
      }
    }
    throw new CensusError(
      "unavailable",
      `${placeOf(address)}: the command log cannot be reached: ${reasons.join("; ")}`,
    );
  }

  static async #openOne(
    address: Address,
    server: Place,
    { answer = ANSWER, onEnd }: ConnectionOptions,
  ): Promise<Connection> {
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
    const options = { timeout: answer };
    const manager = await jetstreamManager(nats, { ...options, checkAPI: false });
    const parts = { stream: jetstream(nats, options), manager, answer };
    const connection = new Connection(nats, serversText([server]), parts);
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
   * @throws CensusError "unavailable" that names the server which does not answer; errors of the server
   */
  async request<T>(work: (connection: this) => Promise<T>): Promise<T> {
    try {
      return await work(this);
    } catch (error) {
      if (!(error instanceof Error) || "code" in error) throw error;
      this.destroy();
      const reason = /timeout/i.test(error.message) ? `has not answered for ${this.#answer} ms` : error.message;
      throw new CensusError("unavailable", `${this.#server}: ${reason}`, { cause: error });
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

/**
 * Runs requests over a connection of their own. Where a server does not answer they run again for up to {@link PATIENCE}: a cluster
 * may be choosing who leads, and does not answer all who make the same stream at the same time.
 * @throws CensusError "unavailable" where no server can be reached; errors of `work`
 */
export async function patiently<T>(address: Address, work: (connection: Connection) => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const connection = await Connection.open(address);
    try {
      return await work(connection);
    } catch (error) {
      const isFinal = !(error instanceof CensusError) || error.code !== "unavailable";
      if (isFinal || performance.now() > end) throw error;
      await pause(AGAIN);
    } finally {
      await connection.close();
    }
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
    // Without it, Node would compare the certificate of an IP address with the name localhost.
    checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
    ...(authorities === undefined ? {} : { ca: await readText(authorities) }),
    ...(certificate === undefined ? {} : { cert: await readText(certificate) }),
    ...(key === undefined ? {} : { key: await readText(key) }),
  };
}
