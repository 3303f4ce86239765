import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Handshake } from "#test/app/listeners/site.ts";

/** Where raw bytes are sent. */
export interface RawTarget {
  readonly url: string;
  /** Of a TLS listener. */
  readonly handshake?: Handshake;
}

export interface Exchange {
  /** Everything that came back until the connection was closed or `isEnough`. */
  readonly text: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
}

/** Opens a connection, encrypted where the URL says so, on which no error is an exception. */
export function open({ url, handshake }: RawTarget): Socket {
  const { hostname, port, protocol } = new URL(url);
  const where = { host: hostname, port: Number(port), allowHalfOpen: true };
  const socket = protocol === "https:" ? connectTls({ ...where, ...handshake }) : connectPlain(where);
  socket.on("error", () => undefined);
  return socket;
}

/**
 * Sends bytes as they are and reads what comes back.
 * @param isEnough whether what has come back is complete; without it, the server has to close the connection
 * @param end whether the sending side is closed after the bytes
 */
export async function exchange(
  target: RawTarget,
  bytes: string | Buffer,
  { isEnough, end = false }: { isEnough?: (text: string) => boolean; end?: boolean } = {},
): Promise<Exchange> {
  const socket = open(target);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const text = (): string => Buffer.concat(chunks).toString("latin1");
    const finish = (closed: boolean): void => {
      resolve({ text: text(), closed });
      socket.destroy();
    };
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (isEnough?.(text()) === true) finish(false);
    });
    socket.on("end", () => finish(true));
    socket.on("close", () => finish(true));
    socket.write(bytes);
    if (end) socket.end();
  });
}

/** The head of the last answer in a text. */
export function headOf(text: string): { statusLine: string; headers: Readonly<Record<string, string>> } {
  const [statusLine = "", ...lines] = (text.split("\r\n\r\n")[0] ?? "").split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { statusLine, headers: Object.fromEntries(headers) as Record<string, string> };
}
