import type { IncomingMessage, ServerResponse } from "node:http";
import { createGunzip } from "node:zlib";
import type { H3Event } from "h3";
import { CensusError, messageOf } from "#storage/errors.ts";

/** The request as Node has it: the raw path and headers, which the peer's rules are about. */
export function nodeRequest(event: H3Event): IncomingMessage {
  const request = event.runtime?.node?.req;
  if (request === undefined) throw new Error("the service runs on Node's HTTP server alone");
  return request as unknown as IncomingMessage;
}

/** Where the answer goes, as Node has it. */
export function nodeResponse(event: H3Event): ServerResponse {
  const response = event.runtime?.node?.res;
  if (response === undefined) throw new Error("the service runs on Node's HTTP server alone");
  return response as unknown as ServerResponse;
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

/** The longest delay a timer takes; longer limits than these 24 days are none. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Aborts when the time is up or the client goes away before its answer is complete; it outlives neither.
 * @param seconds how long the answer may take; 0 = as long as it likes
 * @param late what is said when it takes longer
 */
export function requestSignal(event: H3Event, seconds: number, late: string): AbortSignal {
  const controller = new AbortController();
  const response = nodeResponse(event);
  const abort = (message: string): void => {
    controller.abort(new CensusError("timeout", message));
    // Nobody pulls at an answer whose client does not read on; it would keep what it reads from for ever.
    if (response.headersSent) response.destroy();
  };
  const delay = seconds * 1000;
  const timer = seconds === 0 || delay > LONGEST_DELAY ? undefined : setTimeout(() => abort(late), delay);
  response.on("close", () => {
    clearTimeout(timer);
    if (!response.writableFinished) abort("the client went away");
  });
  return controller.signal;
}
