import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";

/** An answer whose last byte has come. */
export interface WireAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Bytes of a connection that are read at a time. */
const READ = 256 * 1024;

/**
 * One connection of HTTP/1.1 that stays open, with one request at a time on it. Who measures shares two processors with
 * what is measured: this costs a quarter of what Node's own client does, and so hides less of the difference between
 * servers. Nothing is decoded: answers are compared by their bytes.
 */
export class WireConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #received: Buffer = Buffer.alloc(READ);
  #length = 0;
  #waiting: PromiseWithResolvers<WireAnswer> | undefined;
  #fault: Error | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    const fail = (error: Error): void => {
      this.#fault = error;
      this.#waiting?.reject(error);
      this.#waiting = undefined;
    };
    socket.on("data", (data) => this.#take(data));
    socket.on("error", fail);
    socket.on("close", () => fail(this.#fault ?? new Error(`${host} has closed the connection`)));
  }

  /** @param url of the server */
  static async open(url: string): Promise<WireConnection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new WireConnection(socket, host);
  }

  /**
   * @param target path and parameters
   * @param headers further ones, each with its end of line
   */
  async get(target: string, headers = ""): Promise<WireAnswer> {
    return this.#request(`GET ${target} HTTP/1.1\r\nHost: ${this.#host}\r\nAccept: application/json\r\n${headers}\r\n`);
  }

  /** @param body JSON */
  async post(target: string, body: Uint8Array, headers = ""): Promise<WireAnswer> {
    const head =
      `POST ${target} HTTP/1.1\r\nHost: ${this.#host}\r\nAccept: application/json\r\n${headers}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return this.#request(head, body);
  }

  close(): void {
    this.#socket.removeAllListeners("close").destroy();
  }

  async #request(head: string, body?: Uint8Array): Promise<WireAnswer> {
    if (this.#fault !== undefined) throw this.#fault;
    this.#waiting = Promise.withResolvers();
    this.#length = 0;
    this.#socket.cork();
    this.#socket.write(head, "latin1");
    if (body !== undefined) this.#socket.write(body);
    this.#socket.uncork();
    return this.#waiting.promise;
  }

  #take(data: Buffer): void {
    while (this.#length + data.length > this.#received.length) {
      this.#received = Buffer.concat([this.#received], this.#received.length * 2);
    }
    data.copy(this.#received, this.#length);
    this.#length += data.length;
    const answer = parseAnswer(this.#received.subarray(0, this.#length));
    if (answer === undefined) return;
    this.#waiting?.resolve(answer);
    this.#waiting = undefined;
  }
}

/**
 * How long a server takes to answer, in ms, request after request.
 * @param times requests that are not measured, and then those that are
 * @throws Error for an answer that is not a 200
 */
export async function answerTimes(
  connection: WireConnection,
  target: string,
  times: { readonly warmUps: number; readonly runs: number },
): Promise<number[]> {
  const answers: number[] = [];
  for (let run = -times.warmUps; run < times.runs; run++) {
    const began = performance.now();
    await getOk(connection, target);
    if (run >= 0) answers.push(performance.now() - began);
  }
  return answers;
}

/** Makes a server answer a query anew, rather than with an earlier answer that is still right. */
export const ANEW = "Cache-Control: no-cache\r\n";

/**
 * An answer that is made anew.
 * @throws Error for an answer that is not a 200
 */
export async function getOk(connection: WireConnection, target: string, headers = ANEW): Promise<Buffer> {
  const { status, body } = await connection.get(target, headers);
  if (status === 200) return body;
  throw new Error(`${decodeURIComponent(target)}: ${status} ${body.toString().slice(0, 300)}`);
}

/** The response in the bytes; undefined if it is incomplete. */
function parseAnswer(bytes: Buffer): WireAnswer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length !== undefined) {
    const whole = end + 4 + Number(length);
    return bytes.length < whole ? undefined : { status, body: Buffer.from(bytes.subarray(end + 4, whole)) };
  }
  // A server that is about to end the connection says no more than why.
  if (!/\r\ntransfer-encoding: *chunked/.test(head)) return { status, body: Buffer.from(bytes.subarray(end + 4)) };
  // Its last bytes usually show that it is incomplete.
  if (bytes.toString("latin1", bytes.length - 5) !== "0\r\n\r\n") return undefined;
  const body = unchunked(bytes, end + 4);
  return body === undefined ? undefined : { status, body };
}

function unchunked(bytes: Buffer, start: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const line = bytes.indexOf("\r\n", at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    if (size === 0) return Buffer.concat(chunks);
    at = line + 2 + size + 2;
    if (at > bytes.length) return undefined;
    chunks.push(bytes.subarray(line + 2, at - 2));
  }
}
