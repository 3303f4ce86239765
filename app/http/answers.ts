import { promisify } from "node:util";
import { gzip as gzipAtOnce, type ZlibOptions } from "node:zlib";
import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import type { Rows } from "#storage/engine/rows.ts";
import { type Answer, contentType, inJson, inPrettyJson, inText, jsonDocument, nowhere, vary } from "./answer.ts";
import { compactArray, giveBack, prettyArray } from "./pieces.ts";
import { StreamedBody } from "./streamed.ts";

/** An answer as the framework takes it, which would give a text without a content type one. */
export function asResponse({ text, status, headers }: Answer): Response {
  return new FastResponse("content-type" in headers ? text : Buffer.from(text), { status, headers: { ...headers } });
}

/** A plain-text answer: errors of queries, and the few words of the status service. */
export function textAnswer(text: string, status = 400): Response {
  return asResponse(inText(text, status));
}

/** A JSON document laid out as the peer lays out single objects: two spaces, a space on both sides of the colon. */
export function prettyAnswer(value: unknown, status = 200): Response {
  return asResponse(inPrettyJson(value, status));
}

/** Compact JSON. */
export function jsonAnswer(value: unknown, status = 200): Response {
  return asResponse(inJson(value, status));
}

export function jsonText(text: string, status = 200, headers: Record<string, string> = {}): Response {
  return asResponse(jsonDocument(text, status, headers));
}

/** What the peer says where it has no route. */
export function notFound(): Response {
  return asResponse(nowhere());
}

/** Higher ones take longer than they save. */
const GZIP_LEVEL = 4;

const zip = promisify<Uint8Array, ZlibOptions, Buffer>(gzipAtOnce);

/**
 * A JSON array of rows that are JSON texts already. One that fits into a piece is sent at once; a longer one is streamed:
 * the socket's pace is the engine's pace; when the client leaves, the iteration is ended; an error after the first byte
 * cuts the connection, so that no client takes the answer for whole.
 */
export async function rowsAnswer(
  event: H3Event,
  rows: AsyncIterable<Rows>,
  options: { pretty?: boolean; gzip?: boolean; headers?: Record<string, string> } = {},
): Promise<Response> {
  const pieces = options.pretty === true ? prettyArray(rows) : compactArray(rows);
  const isZipped = options.gzip !== false && acceptsGzip(event.req.headers.get("accept-encoding"));
  const headers = {
    "content-type": contentType.json,
    vary,
    ...options.headers,
    ...(isZipped ? { "content-encoding": "gzip" } : {}),
  };
  const first = await pieces.next();
  const second = await pieces.next();
  const gzip = isZipped ? { level: GZIP_LEVEL } : undefined;
  if (first.done !== true && second.done !== true) {
    // The framework pipes a body that can be piped, though it does not say so.
    const body = new StreamedBody([first.value, second.value], pieces, gzip) as unknown;
    return new FastResponse(body as ConstructorParameters<typeof FastResponse>[0], { headers });
  }
  const piece = first.value ?? Buffer.alloc(0);
  const whole = gzip === undefined ? Buffer.from(piece) : await zip(piece, gzip);
  giveBack(piece);
  return new FastResponse(whole, { headers });
}

function acceptsGzip(header: string | null): boolean {
  if (header === null) return false;
  return header.split(",").some((item) => {
    const [coding = "", ...parameters] = item.trim().toLowerCase().split(";");
    return (
      (coding === "gzip" || coding === "*") && !parameters.some((parameter) => /^\s*q=0(?:\.0*)?$/.test(parameter))
    );
  });
}
