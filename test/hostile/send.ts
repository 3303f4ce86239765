import { Agent, request } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { setTimeout as delay } from "node:timers/promises";
import { type Attack, type HttpAttack, type Outcome, type RawAttack, targetOf } from "./attack.ts";

/** Where attacks go. */
export interface Target {
  /** Without a slash at the end. */
  readonly url: string;
  readonly tls?: TlsTarget | undefined;
}

export interface TlsTarget {
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Bytes of an answer that are looked at. */
const LOOKED_AT = 2 * 1024 * 1024;

/** Sends attacks over connections that stay open. */
export class Sender implements Disposable {
  readonly #agent: Agent;
  readonly #tlsAgent: TlsAgent;
  readonly #target: Target;

  /** @param connections how many at a time */
  constructor(target: Target, connections: number) {
    this.#target = target;
    const pool = { keepAlive: true, maxSockets: connections + 2 };
    this.#agent = new Agent(pool);
    const { ca, cert, key } = target.tls ?? {};
    this.#tlsAgent = new TlsAgent({ ...pool, ...(ca === undefined ? {} : { ca, cert, key }) });
  }

  /** @param limit milliseconds until the whole answer has to be there */
  async send(attack: Attack, limit: number): Promise<Outcome> {
    return attack.transport === "http" ? this.#http(attack, limit) : this.#raw(attack, limit);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
    this.#tlsAgent.destroy();
  }

  async #http(attack: HttpAttack, limit: number): Promise<Outcome> {
    const started = performance.now();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const none = { status: 0, type: "", text: "", isWhole: false };
    const fail = (failure: string): void => resolve({ ...none, ms: performance.now() - started, failure });
    const { hostname: host, port: plainPort } = new URL(this.#target.url);
    const { tls } = this.#target;
    const isTls = attack.isOverTls === true && tls !== undefined;
    const agent = isTls ? this.#tlsAgent : this.#agent;
    const port = isTls ? tls.port : plainPort;
    const outgoing = (isTls ? tlsRequest : request)(
      { host, port, path: targetOf(attack), method: attack.method, agent, headers: attack.headers },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          if (size < LOOKED_AT) chunks.push(chunk);
          size += chunk.length;
        });
        const status = response.statusCode ?? 0;
        const type = response.headers["content-type"] ?? "";
        const outcome = (): Outcome => {
          const isPlain = response.headers["content-encoding"] === undefined;
          const text = isPlain ? Buffer.concat(chunks).toString() : "";
          return { ms: performance.now() - started, status, type, text, isWhole: isPlain && size <= LOOKED_AT };
        };
        response.once("end", () => resolve(outcome()));
        response.once("error", (error) => resolve({ ...outcome(), isWhole: false, failure: codeOf(error) }));
      },
    );
    outgoing.once("error", (error) => fail(codeOf(error)));
    const timer = setTimeout(() => {
      fail("timeout");
      outgoing.destroy();
    }, limit);
    outgoing.end(attack.body);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async #raw(attack: RawAttack, limit: number): Promise<Outcome> {
    const started = performance.now();
    const socket = this.#connect(attack);
    const chunks: Buffer[] = [];
    let failure: string | undefined;
    const closed = new Promise<void>((resolve) => socket.once("close", resolve));
    socket.on("error", (error) => (failure = codeOf(error)));
    socket.on("data", (chunk: Buffer) => {
      if (chunks.length < 200) chunks.push(chunk);
    });
    // A server may keep a connection open that it has answered on, or still awaits more from.
    const patience = AbortSignal.timeout(Math.min(limit, attack.ending === "wait" ? 250 : limit));
    await write(socket, attack);
    if (attack.ending === "half-close") socket.end();
    if (attack.ending === "cut") socket.destroy();
    await Promise.race([closed, new Promise((resolve) => patience.addEventListener("abort", resolve))]);
    // A client's TLS socket that has ended before its handshake did may not notice that the server has closed.
    const isPlain = attack.transport === "raw" || attack.handshake === "none";
    if (!socket.closed && attack.ending === "half-close" && isPlain) failure = "timeout";
    socket.destroy();
    const text = Buffer.concat(chunks).toString("latin1");
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
    const ms = performance.now() - started;
    return { ms, status, type: "", text, isWhole: false, ...(failure === undefined ? {} : { failure }) };
  }

  #connect(attack: RawAttack): Socket {
    const { hostname, port } = new URL(this.#target.url);
    const { tls } = this.#target;
    if (attack.transport === "raw" || tls === undefined) {
      return connectPlain({ host: hostname, port: Number(port), allowHalfOpen: true });
    }
    if (attack.handshake === "none") return connectPlain({ host: hostname, port: tls.port, allowHalfOpen: true });
    const identity = attack.handshake === "certificate" ? { cert: tls.cert, key: tls.key } : {};
    return connectTls({ host: hostname, port: tls.port, ca: tls.ca, ...identity });
  }
}

async function write(socket: Socket, { pieces, pause }: RawAttack): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && pause > 0) await delay(pause);
    if (socket.destroyed || socket.writableEnded) return;
    socket.write(piece);
  }
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
