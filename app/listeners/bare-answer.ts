import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { defaultHeaders } from "../http/default-headers.ts";

/**
 * Answers on a connection that has no request to answer, or none that could be read, and closes it.
 * @param further headers besides the common ones
 */
export function answerBare(socket: Duplex, status: number, further: Readonly<Record<string, string>> = {}): void {
  const phrase = STATUS_CODES[status] ?? "";
  const headers = { ...defaultHeaders, ...further, "Content-Length": String(phrase.length), Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // The client may have disconnected: nothing can be done about it.
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join("")}\r\n${phrase}`, () => socket.destroy());
}
