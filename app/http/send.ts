import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { HttpResponse } from "./response.ts";
import { PieceStream } from "./piece-stream.ts";

/**
 * Writes a response, with the reason phrase of its status. A complete body goes out in one write; a stream at the pace
 * of the client. An error after the first byte closes the connection, so that no client takes the response for
 * complete.
 * @param defaults headers for where the response has none of that name
 * @returns when nothing remains to be done here; a complete body is written at once
 * @throws errors of a stream before its first byte, or Node's errors for invalid headers
 */
export function sendResponse(
  response: ServerResponse,
  { status, headers, cookies, body }: HttpResponse,
  defaults: Readonly<Record<string, string>> = {},
): Promise<void> | undefined {
  const allHeaders = { ...defaults, ...headers };
  if (cookies !== undefined && cookies.length > 0) response.setHeader("set-cookie", cookies);
  if (typeof body === "string" || body instanceof Uint8Array) {
    response.writeHead(status, { ...allHeaders, "content-length": Buffer.byteLength(body) });
    response.end(body);
    return undefined;
  }
  if (body === undefined || response.destroyed || response.req.method === "HEAD") {
    body?.destroy();
    response.writeHead(status, allHeaders);
    response.end();
    return undefined;
  }
  const writeHead = (): void => void response.writeHead(status, allHeaders);
  if (!(body instanceof PieceStream)) return sendStream(response, writeHead, body);
  writeHead();
  return body.sendTo(response);
}

/** Writes the head once the stream has bytes: until then an error can still be answered. */
async function sendStream(response: ServerResponse, writeHead: () => void, stream: Readable): Promise<void> {
  const abandon = (): void => void stream.destroy();
  response.once("close", abandon);
  try {
    await firstBytes(stream);
  } finally {
    response.off("close", abandon);
  }
  if (response.destroyed) return;
  writeHead();
  // A failing stream closes the connection; its producer reports why.
  await pipeline(stream, response).catch(() => undefined);
}

/** Resolves when there is something to read, or never will be. */
async function firstBytes(stream: Readable): Promise<void> {
  if (stream.readableLength > 0 || stream.destroyed || stream.readableEnded) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error): void => {
      for (const event of ["readable", "end", "close"]) stream.off(event, onEvent);
      stream.off("error", settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onEvent = (): void => settle();
    for (const event of ["readable", "end", "close"]) stream.on(event, onEvent);
    stream.on("error", settle);
  });
}
