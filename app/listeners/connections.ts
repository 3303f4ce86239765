import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { answerBare } from "./bare-answer.ts";
import { awaitHalfClosed } from "./half-closed.ts";
import { endRequests, requestsEnded } from "./last-request.ts";
import type { RequestLimits } from "./limits.ts";
import type { ListenerLog } from "./log.ts";

/** Milliseconds between two looks for connections that are idle or stalled for too long, at most. */
const LOOK_MS = 5000;

/** Node closes connections that are idle for too long itself, after a 408; what it overlooks is cut so many times later. */
const LATER = 1.25;

/** A connection, and the answers that are under way on it. */
interface Connection {
  readonly server: Server;
  /** The bare socket, under TLS the one below the encrypted one. */
  readonly bare: Socket;
  /** What requests arrive on; the encrypted one once its handshake is done. */
  socket: Socket;
  readonly answers: Set<ServerResponse>;
  /** When it was opened, or its last answer was complete, or bytes of a request arrived last; monotonic milliseconds. */
  since: number;
  /** Bytes that had arrived then. */
  bytes: number;
}

/** A server whose connections are followed. */
export interface Followed {
  /** Stops accepting, ends idle connections, lets running answers finish, and ends what is left after `graceMs`. */
  readonly close: (graceMs: number) => Promise<void>;
  /** Has every client open a new connection: idle ones are closed at once, the others after the answers that are under way. */
  readonly renew: () => void;
}

/**
 * The connections of all listeners of a service: their number is bounded, silent and stalled ones are closed, and none is
 * ended in the middle of an answer.
 */
export class Connections {
  readonly #limits: RequestLimits;
  readonly #log: ListenerLog;
  readonly #all = new Set<Connection>();
  /** Those without a request, the one that is idle for longest first. */
  readonly #idle = new Set<Connection>();
  readonly #of = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Server>();
  readonly #closing = new WeakSet<Server>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: RequestLimits, log: ListenerLog) {
    this.#limits = limits;
    this.#log = log;
  }

  /** Follows a server from now on; it may be listening already. */
  follow(server: Server): Followed {
    this.#open.add(server);
    this.#timer ??= setInterval(() => this.#look(), Math.min(LOOK_MS, this.#limits.stallMs / 2)).unref();
    // Otherwise Node closes the connection of a client that closes its sending side, answer and all.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.prependListener("connection", (socket: Socket) => this.#accept(server, socket));
    server.on("secureConnection", (socket: TLSSocket & { readonly _parent?: Socket }) => {
      const connection = this.#of.get(socket._parent ?? socket) ?? this.#accept(server, socket);
      connection.socket = socket;
      // Not before: a client that closes its side in the middle of a handshake is not waited for.
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
    // A socket remembers the address for the log once it was read; one that is closed cannot read it any more.
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

  /** A connection that says nothing gives way to a new one; where each is at work, the new one has to come again. */
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
    // Before the handshake of TLS is done nobody could read it.
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

  /** Its client has stopped in the middle of a body. */
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
      for (const response of answers) response.shouldKeepAlive = false;
      if (answers.size === 0) this.#end(connection);
    }
  }

  async #close(server: Server, graceMs: number): Promise<void> {
    this.#closing.add(server);
    const closed = stopAccepting(server);
    const own = [...this.#all].filter((connection) => connection.server === server);
    for (const connection of own) {
      if (connection.answers.size === 0) this.#end(connection);
      for (const response of connection.answers) response.shouldKeepAlive = false;
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

function isTls(server: Server): boolean {
  return "setSecureContext" in server;
}

/** Whether an answer waits for more of its request, which we would read if it came. */
function isAwaited(answers: ReadonlySet<ServerResponse>): boolean {
  return [...answers].some(({ req }) => !req.complete && req.readableLength < req.readableHighWaterMark);
}

/**
 * Resolves when the last connection is gone. An HTTP server's own `close` destroys connections whose answer is handed
 * over but not yet written to its end, so it is only asked once nothing is open: to stop its timer.
 */
async function stopAccepting(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  server.close(() => undefined);
}
