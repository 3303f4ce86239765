import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CensusError, messageOf } from "#storage/errors.ts";
import { mayGrow } from "./body-growth.ts";

/** A request on its way to the handler of a route. */
export interface HttpRequest {
  /** Method, headers and body, as Node's server has read them. */
  readonly message: IncomingMessage;
  /** For its lifetime only: the adapter writes the handler's result. */
  readonly response: ServerResponse;
  /** The path as it was sent, not decoded. */
  readonly path: string;
  /** The query string as it was sent, without `?`. */
  readonly search: string;
  /** Values of the route's `:name` segments, decoded. */
  readonly segments: Readonly<Record<string, string>>;
}

/** An address for a log: the query string of a sign-in is left out, as it has the code of a provider. */
export function withoutCode(url: string): string {
  return url.replace(/^([^?]*\/sign-in\b[^?]*)\?.*$/s, "$1");
}

/** Path and query string as they were sent, not decoded. */
export function targetOf({ url = "/" }: IncomingMessage): { path: string; search: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, search: "" } : { path: url.slice(0, mark), search: url.slice(mark + 1) };
}

/**
 * Reads the body as it arrives, not unpacked, always to its end: ending a request half-way closes the connection before
 * the response is sent.
 * @returns undefined when it has more than `largest` bytes, which are discarded
 * @throws CensusError "unavailable" when there is not enough memory
 */
export async function readBytes(request: IncomingMessage, largest: number): Promise<Buffer | undefined> {
  const announced = announcedSize(request);
  const whole = announced > LONG && announced <= largest ? Buffer.allocUnsafeSlow(announced) : undefined;
  let chunks: Buffer[] = [];
  let size = 0;
  let isRefused = false;
  // By events: an iterator costs as much as the rest of a small request.
  await new Promise<void>((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (isRefused) return;
      if (!mayGrow(request, size)) {
        isRefused = true;
        chunks = [];
      } else if (size > largest) chunks = [];
      else if (whole === undefined) chunks.push(chunk);
      else {
        chunk.copy(whole, size - chunk.length);
        freeBuffer(chunk);
      }
    });
    request.on("end", resolve);
    request.on("error", reject);
    request.on("close", () => {
      if (!request.readableEnded) reject(new CensusError("timeout", "the client disconnected"));
    });
  });
  if (isRefused)
    throw new CensusError("unavailable", "There is not enough memory for the request body; try again later");
  const [only] = chunks;
  if (size > largest) return undefined;
  if (whole !== undefined) return whole;
  if (chunks.length === 1 && only !== undefined) return only;
  const joined = Buffer.concat(chunks);
  for (const chunk of chunks) freeBuffer(chunk);
  return joined;
}

/**
 * A body that announces more bytes is written into one piece of memory as it arrives: joined at the end, it would be
 * there twice.
 */
const LONG = 1024 * 1024;

/**
 * Bytes of a body as its head has them; 0 where it does not. Node's parser sees to it that no more and no fewer arrive.
 */
function announcedSize({ headers }: IncomingMessage): number {
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : 0;
}

/** Smaller buffers may share their memory with others. */
const MIN_UNSHARED = 8 * 1024;

/**
 * Frees the memory of a buffer, which must not be read any more. The garbage collector would free it much later, and
 * new requests would use memory that is not in the processor's caches.
 */
export function freeBuffer({ buffer, length }: Buffer): void {
  if (length >= MIN_UNSHARED && length === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

const unzip = promisify(gunzip);

/**
 * Reads the body and unpacks it if it is gzipped.
 * @param largest bytes that it may have, unpacked
 * @throws CensusError "bad-input" when it is too large or not valid gzip
 */
export async function readBodyBytes({ message: request }: HttpRequest, largest: number): Promise<Buffer> {
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
export async function readBody(request: HttpRequest, largest: number): Promise<string> {
  return (await readBodyBytes(request, largest)).toString("utf8");
}

/** The longest delay of a timer, 24 days; longer time limits do not apply. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Aborts when the time is up or the client disconnects; for work before the response.
 * @param ms time limit in milliseconds; 0: none
 * @param late the message when the time is up
 * @returns the signal, and a function to call when the work is done
 */
export function workSignal(
  { response }: HttpRequest,
  ms: number,
  late: string,
): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = (message: string): void => controller.abort(new CensusError("timeout", message));
  const disconnected = (): void => abort("the client disconnected");
  const timer = ms === 0 || ms > LONGEST_DELAY ? undefined : setTimeout(() => abort(late), ms);
  response.on("close", disconnected);
  const end = (): void => {
    clearTimeout(timer);
    response.off("close", disconnected);
  };
  return { signal: controller.signal, end };
}

/**
 * Aborts when the time is up or the client disconnects before its response is complete.
 * @param seconds time limit of the whole response; 0: none
 * @param late the message when the time is up
 */
export function requestSignal({ response }: HttpRequest, seconds: number, late: string): AbortSignal {
  const controller = new AbortController();
  const abort = (message: string): void => {
    controller.abort(new CensusError("timeout", message));
    // A stream whose client does not read would never notice the signal, and would occupy the engine.
    if (response.headersSent) response.destroy();
  };
  const delay = seconds * 1000;
  const timer = seconds === 0 || delay > LONGEST_DELAY ? undefined : setTimeout(() => abort(late), delay);
  response.on("close", () => {
    clearTimeout(timer);
    if (!response.writableFinished) abort("the client disconnected");
  });
  return controller.signal;
}
