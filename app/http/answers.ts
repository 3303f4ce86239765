import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import type { Rows } from "#storage/engine/rows.ts";
import { parseJson } from "#storage/json.ts";
import { type Answer, contentType, inJson, inPrettyJson, inText, jsonDocument, nowhere, vary } from "./answer.ts";
import { pretty } from "./pretty.ts";

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

/** How many bytes are gathered before they are handed to the socket. */
const PIECE = 64 * 1024;

/** Higher ones take longer than they save. */
const GZIP_LEVEL = 4;

const zip = promisify(gzip);

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
  if (second.done === true) {
    const whole = first.value ?? new Uint8Array();
    return new FastResponse(isZipped ? await zip(whole, { level: GZIP_LEVEL }) : whole, { headers });
  }
  const bytes = resumed([first, second], pieces);
  const body = Readable.from(bytes, { objectMode: false, highWaterMark: 2 * PIECE });
  if (!isZipped) return new FastResponse(body, { headers });
  const zipped = createGzip({ level: GZIP_LEVEL });
  body.on("error", (error) => zipped.destroy(error));
  zipped.on("close", () => body.destroy());
  return new FastResponse(body.pipe(zipped), { headers });
}

async function* resumed(
  known: readonly IteratorResult<Uint8Array, void>[],
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array> {
  try {
    for (const { value } of known) if (value !== undefined) yield value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* compactArray(answer: AsyncIterable<Rows>): AsyncGenerator<Uint8Array, void> {
  let piece = Buffer.allocUnsafeSlow(PIECE);
  let size = piece.write("[");
  let isFirst = true;
  for await (const rows of answer) {
    for (let row = 0; row < rows.count; row++) {
      const bytes = rows.bytes(row);
      // Room for the separator before the row and the bracket after the last.
      if (size + bytes.length + 2 > piece.length) {
        yield piece.subarray(0, size);
        piece = Buffer.allocUnsafeSlow(Math.max(PIECE, bytes.length + 2));
        size = 0;
      }
      if (!isFirst) piece[size++] = COMMA;
      isFirst = false;
      piece.set(bytes, size);
      size += bytes.length;
    }
  }
  size += piece.write("]", size);
  yield piece.subarray(0, size);
}

const COMMA = ",".charCodeAt(0);

/** `[ {\n  "name" : "production"\n}, {` — the layout that `pretty=true` has in the peer. */
async function* prettyArray(answer: AsyncIterable<Rows>): AsyncGenerator<Uint8Array, void> {
  let separator = "[ ";
  for await (const rows of answer) {
    for (const row of rows.texts()) {
      yield Buffer.from(separator + pretty(parseJson(row)));
      separator = ", ";
    }
  }
  yield Buffer.from(separator === "[ " ? "[ ]" : " ]");
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
