import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import type { H3Event } from "h3";
import { CensusError, messageOf } from "#storage/errors.ts";

/** The request as Node has it: the raw path and headers, which the peer's rules are about. */
export function nodeRequest(event: H3Event): IncomingMessage {
  const request = event.runtime?.node?.req;
  if (request === undefined) throw new Error("the service runs on Node's HTTP server alone");
  return request as unknown as IncomingMessage;
}

/** Path and query string as they were sent, not decoded. */
export function rawTarget(event: H3Event): { path: string; search: string } {
  const url = nodeRequest(event).url ?? "/";
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, search: "" } : { path: url.slice(0, mark), search: url.slice(mark + 1) };
}

/** A query's body may not be larger (bytes, after decompression). */
const LARGEST_QUERY = 64 * 1024 * 1024;

/**
 * The body as text, unpacked when it is gzipped. Malformed UTF-8 becomes U+FFFD.
 * @throws CensusError "bad-input" when it is too large or not what its encoding says
 */
export async function readBody(event: H3Event, largest: number = LARGEST_QUERY): Promise<string> {
  const request = nodeRequest(event);
  const encoding = (request.headers["content-encoding"] ?? "identity").toLowerCase();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const source = encoding === "gzip" ? request.pipe(createGunzip()) : request;
    for await (const chunk of source) {
      size += (chunk as Buffer).length;
      if (size > largest) throw new CensusError("bad-input", `the body is larger than ${largest} bytes`);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof CensusError) throw error;
    throw new CensusError("bad-input", `the body is not valid ${encoding}: ${messageOf(error)}`, { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Aborts when the client goes away before the answer is complete. */
export function clientSignal(event: H3Event): AbortSignal {
  const controller = new AbortController();
  const response = event.runtime?.node?.res as
    | { on?(event: "close", listener: () => void): void; writableFinished?: boolean }
    | undefined;
  response?.on?.("close", () => {
    if (response.writableFinished !== true) controller.abort(new CensusError("timeout", "the client went away"));
  });
  return controller.signal;
}
