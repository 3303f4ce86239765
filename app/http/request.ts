import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { H3Event } from "h3";
import { CensusError, messageOf } from "#storage/errors.ts";
import { mayGrow } from "./body-growth.ts";

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
  return targetOf(nodeRequest(event));
}

/** The same of a request that the framework has not seen. */
export function targetOf({ url = "/" }: IncomingMessage): { path: string; search: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, search: "" } : { path: url.slice(0, mark), search: url.slice(mark + 1) };
}

/**
 * The body as it arrives, not unpacked; undefined when there is more of it than `largest` bytes, all of it read and let go.
 * @throws CensusError "unavailable" when there is no memory for it
 * Always read to the end: a request that is left half-way takes its connection with it, answer and all.
 */
export async function readBytes(request: IncomingMessage, largest: number): Promise<Buffer | undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  let isRefused = false;
  // By events: an iterator costs as much as all the rest of a request that is small.
  await new Promise<void>((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (isRefused) return;
      if (!mayGrow(request, size)) {
        isRefused = true;
        chunks = [];
      } else if (size > largest) chunks = [];
      else chunks.push(chunk);
    });
    request.on("end", resolve);
    request.on("error", reject);
    request.on("close", () => {
      if (!request.readableEnded) reject(new CensusError("timeout", "the client went away"));
    });
  });
  if (isRefused) throw new CensusError("unavailable", "There is no memory for a body of this size at present");
  const [only] = chunks;
  if (size > largest) return undefined;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = Buffer.concat(chunks);
  for (const chunk of chunks) letGo(chunk);
  return whole;
}

/** Smaller pieces may share their memory with others. */
const OF_ITS_OWN = 8 * 1024;

/**
 * Gives the memory of a request's bytes back, into which nobody looks any more. The collector would do so much later: until
 * then every request takes memory that no processor has in its caches.
 */
export function letGo({ buffer, length }: Buffer): void {
  if (length >= OF_ITS_OWN && length === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

const unzip = promisify(gunzip);

/**
 * The body, unpacked when it is gzipped.
 * @param largest bytes that it may have, unpacked
 * @throws CensusError "bad-input" when it is too large or not what its encoding says
 */
export async function readBodyBytes(event: H3Event, largest: number): Promise<Buffer> {
  const request = nodeRequest(event);
  const tooLarge = (): CensusError => new CensusError("bad-input", `the body is larger than ${largest} bytes`);
  const bytes = await readBytes(request, largest);
  if (bytes === undefined) throw tooLarge();
  if ((request.headers["content-encoding"] ?? "").toLowerCase() !== "gzip") return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: largest });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new CensusError("bad-input", `the body is not valid gzip: ${messageOf(error)}`, { cause: error });
  }
}

/** The same as text; malformed UTF-8 becomes U+FFFD. */
export async function readBody(event: H3Event, largest: number): Promise<string> {
  return (await readBodyBytes(event, largest)).toString("utf8");
}

/** The longest delay a timer takes; longer limits than these 24 days are none. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Aborts when the time is up or the client goes away; for work before an answer. To be ended when that work is done.
 * @param ms milliseconds; 0 = as long as it likes
 * @param late what is said when it takes longer
 */
export function workSignal(event: H3Event, ms: number, late: string): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const response = nodeResponse(event);
  const abort = (message: string): void => controller.abort(new CensusError("timeout", message));
  const left = (): void => abort("the client went away");
  const timer = ms === 0 || ms > LONGEST_DELAY ? undefined : setTimeout(() => abort(late), ms);
  response.on("close", left);
  const end = (): void => {
    clearTimeout(timer);
    response.off("close", left);
  };
  return { signal: controller.signal, end };
}

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
