import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { endEndless } from "../http/endless.ts";
import { answerBare } from "./bare-answer.ts";
import { awaitHalfClosed } from "./half-closed.ts";
import { endRequests, requestsEnded } from "./last-request.ts";
import type { RequestLimits } from "./limits.ts";
import type { ListenerLog } from "./log.ts";

/** Maximum milliseconds between two checks for connections that are idle or stalled for too long. */
const LOOK_MS = 5000;

/**
 * Node closes connections that are idle for too long, after a 408. This many times later we close those that it
 * overlooked.
 */
const LATER = 1.25;

/** A connection and its responses in progress. */
interface Connection {
  readonly server: Server;
  /** The TCP socket; with TLS, the one below the encrypted socket. */
  readonly bare: Socket;
  /** The socket that requests arrive on: the encrypted one once its handshake has completed. */
  socket: Socket;
  readonly answers: Set<ServerResponse>;
  /** Last activity: opened, response completed, or bytes of a request received; monotonic milliseconds. */
  since: number;
  /** Bytes received until then. */
  bytes: number;
}

/** A server whose connections are tracked. */
export interface Followed {
  /**
   * Stops accepting, closes idle connections, waits for responses in progress, and closes the remaining ones after
   * `graceMs`.
   */
  readonly close: (graceMs: number) => Promise<void>;
  /**
   * Makes every client open a new connection: closes idle ones at once, the others after their responses in progress.
   */
  readonly renew: () => void;
}

/**
 * The connections of all listeners of a service. Bounds their number, closes idle and stalled ones, and never closes
 * one in the middle of a response.
 */
export class Connections {
  readonly #limits: RequestLimits;
  readonly #log: ListenerLog;
  readonly #all = new Set<Connection>();
  /** Those without a request, the longest idle one first. */
  readonly #idle = new Set<Connection>();
  readonly #of = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Server>();
  readonly #closing = new WeakSet<Server>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: RequestLimits, log: ListenerLog) {
    this.#limits = limits;
    this.#log = log;
  }

  /** Tracks the connections of a server, which may be listening already. */
  follow(server: Server): Followed {
    this.#open.add(server);
    this.#timer ??= setInterval(() => this.#look(), Math.min(LOOK_MS, this.#limits.stallMs / 2)).unref();
    // By default, Node closes the connection of a client that closes its sending side, and drops the response.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.prependListener("connection", (socket: Socket) => this.#accept(server, socket));
    server.on("secureConnection", (socket: TLSSocket & { readonly _parent?: Socket }) => {
      const connection = this.#of.get(socket._parent ?? socket) ?? this.#accept(server, socket);
      connection.socket = socket;
      // Set after the handshake: a client that closes its side during the handshake has disconnected.
      socket.allowHalfOpen = true;
      this.#of.set(socket, connection);
      awaitHalfClosed(socket, connection.answers);
    });
    server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = this.#of.get(socket) ?? this.#accept(server, socket);
      if (!requestsEnded(socket)) this.#answer(connection, response);
    });
    return { close: (graceMs) => this.#close(server, graceMs), renew: () => this.#renew(server) };
  }

  #accept(server: Server, bare: Socket): Connection {
    const connection = {
      server,
      bare,
      socket: bare,
      answers: new Set<ServerResponse>(),
      since: performance.now(),
      bytes: 0,
    };
    this.#all.add(connection);
    this.#idle.add(connection);
    this.#of.set(bare, connection);
    // Read the address now: a socket caches it, and a closed one cannot read it any more.
    void bare.remoteAddress;
    bare.once("close", () => this.#forget(connection));
    if (!isTls(server)) awaitHalfClosed(bare, connection.answers);
    if (this.#all.size > this.#limits.connections) this.#makeRoom(connection);
    return connection;
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    this.#idle.delete(connection);
  }

  /** Closes the longest idle connection for a new one; refuses the new one if all have requests in progress. */
  #makeRoom(newest: Connection): void {
    const [oldest = newest] = this.#idle;
    this.#log.warn(
      `all ${this.#limits.connections} connections are in use; ${oldest === newest ? "rejecting a new one" : "closing an idle one"}`,
    );
    if (oldest === newest) this.#refuse(newest, 503, { "Retry-After": "1" });
    else this.#end(oldest);
  }

  #end(connection: Connection): void {
    this.#forget(connection);
    connection.bare.destroy();
  }

  #refuse(connection: Connection, status: number, headers?: Readonly<Record<string, string>>): void {
    const { bare, socket, server } = connection;
    this.#forget(connection);
    endRequests(socket);
    // Before the TLS handshake has completed, the client cannot read a response.
    if (isTls(server) && socket === bare) bare.destroy();
    else answerBare(socket, status, headers);
  }

  #answer(connection: Connection, response: ServerResponse): void {
    const { answers, server, bare, socket } = connection;
    answers.add(response);
    this.#idle.delete(connection);
    this.#touch(connection);
    if (this.#closing.has(server)) response.shouldKeepAlive = false;
    response.on("close", () => {
      answers.delete(response);
      if (answers.size > 0 || !this.#all.has(connection)) return;
      this.#touch(connection);
      this.#idle.add(connection);
      if (this.#closing.has(server) || requestsEnded(socket)) socket.destroySoon();
    });
    if (bare.destroyed) this.#forget(connection);
  }

  #touch(connection: Connection): void {
    connection.since = performance.now();
    connection.bytes = connection.bare.bytesRead;
  }

  #look(): void {
    const { headersMs, idleMs, stallMs } = this.#limits;
    const now = performance.now();
    const longest = Math.max(headersMs, idleMs) * LATER;
    for (const connection of this.#all) {
      const { answers, bare, since } = connection;
      if (answers.size === 0) {
        if (now - since > longest) this.#end(connection);
      } else if (bare.bytesRead !== connection.bytes) {
        this.#touch(connection);
      } else if (now - since > stallMs && isAwaited(answers)) {
        this.#stall(connection);
      }
    }
  }

  /** Ends a connection whose client stopped sending in the middle of a body. */
  #stall(connection: Connection): void {
    const hasBegun = [...connection.answers].some(({ headersSent }) => headersSent);
    if (hasBegun) this.#end(connection);
    else this.#refuse(connection, 408);
  }

  #renew(server: Server): void {
    for (const connection of this.#all) {
      const { answers, socket } = connection;
      if (connection.server !== server) continue;
      endRequests(socket);
      endAnswers(answers);
      if (answers.size === 0) this.#end(connection);
    }
  }

  async #close(server: Server, graceMs: number): Promise<void> {
    this.#closing.add(server);
    const closed = stopAccepting(server);
    const own = [...this.#all].filter((connection) => connection.server === server);
    for (const connection of own) {
      if (connection.answers.size === 0) this.#end(connection);
      endAnswers(connection.answers);
    }
    const timer = setTimeout(() => {
      server.closeAllConnections();
      for (const { bare } of own) bare.destroy();
    }, graceMs);
    await closed;
    clearTimeout(timer);
    this.#open.delete(server);
    if (this.#open.size === 0) clearInterval(this.#timer);
  }
}

/** Closes a connection after its responses in progress, those that never end now. */
function endAnswers(answers: ReadonlySet<ServerResponse>): void {
  for (const response of answers) {
    response.shouldKeepAlive = false;
    endEndless(response);
  }
}

function isTls(server: Server): boolean {
  return "setSecureContext" in server;
}

/** Whether a request is incomplete and we are ready to read more of it. */
function isAwaited(answers: ReadonlySet<ServerResponse>): boolean {
  return [...answers].some(({ req }) => !req.complete && req.readableLength < req.readableHighWaterMark);
}

/**
 * Resolves when the last connection is closed. `close` of an HTTP server destroys connections whose response has not
 * been written completely, so it is called only after that, to stop the server's timer.
 */
async function stopAccepting(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  server.close(() => undefined);
}
