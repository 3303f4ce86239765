import { STATUS_CODES } from "node:http";
import { promisify } from "node:util";
import { gzip as gzipAtOnce, type ZlibOptions } from "node:zlib";
import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import type { Rows } from "#storage/engine/rows.ts";
import { type Answer, contentType, inJson, inPrettyJson, inText, jsonDocument, nowhere, vary } from "./answer.ts";
import { compactArray, giveBack, prettyArray } from "./pieces.ts";
import { type Sending, StreamedBody } from "./streamed.ts";

/** What the framework sends: a text, bytes, or a stream of Node's, though it does not declare that. */
type Body = ConstructorParameters<typeof FastResponse>[0];

/** An answer as the framework takes it, with the reason phrase of its status. */
export function respond(body: unknown, headers: Readonly<Record<string, string>>, status = 200): Response {
  return new FastResponse(body as Body, { status, statusText: STATUS_CODES[status] ?? "", headers: { ...headers } });
}

export function asResponse({ text, status, headers }: Answer): Response {
  return respond(text, headers, status);
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

/** How rows are sent. */
export interface RowsOptions {
  readonly pretty?: boolean;
  readonly gzip?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A JSON array of rows that are JSON texts already. One that fits into a piece is sent at once; a longer one is streamed:
 * the socket's pace is the engine's pace; when the client leaves, the iteration is ended; an error after the first byte
 * cuts the connection, so that no client takes the answer for whole.
 * @param begin called for one that is streamed; what it throws ends the answer before any of it is sent
 */
export async function rowsAnswer(
  event: H3Event,
  rows: AsyncIterable<Rows>,
  options: RowsOptions,
  begin: () => Sending,
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
    const known = [first.value, second.value];
    return respond(new StreamedBody(known, pieces, await begun(begin, known, pieces), gzip), headers);
  }
  const piece = first.value ?? Buffer.alloc(0);
  const whole = gzip === undefined ? Buffer.from(piece) : await zip(piece, gzip);
  giveBack(piece);
  return respond(whole, headers);
}

async function begun(begin: () => Sending, known: readonly Buffer[], rest: AsyncGenerator): Promise<Sending> {
  try {
    return begin();
  } catch (error) {
    await rest.return(undefined);
    known.forEach(giveBack);
    throw error;
  }
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
