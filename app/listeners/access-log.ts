import type { IncomingMessage, ServerResponse } from "node:http";
import { type Clock, formatTimestamp, type Timestamp } from "#storage/time.ts";
import type { Handler } from "../http/entrance.ts";
import { withoutCode } from "../http/request.ts";
import { type Peer, peerOf } from "./peer.ts";
import { requestId } from "./request-id.ts";
import { subjectOf } from "./request-subject.ts";

/** One request and its outcome. */
export interface AccessEntry {
  /** When it arrived. */
  readonly time: Timestamp;
  readonly id: string;
  readonly listener: Peer["listener"];
  /** IP address of the client. */
  readonly remote: string;
  /** Common name of its certificate. */
  readonly certname?: string;
  /** The token or the person that was recognised, e.g. `sso:alice`. */
  readonly subject?: string | undefined;
  readonly method: string;
  /** Path and query string as they were sent, without the codes of a sign-in. */
  readonly target: string;
  /** e.g. `1.1` */
  readonly httpVersion: string;
  /** Missing when the client disconnected before the response began. */
  readonly status?: number;
  /** Whether the whole response was sent. */
  readonly complete: boolean;
  /** Bytes sent on the connection during the request, headers included, before encryption. */
  readonly bytes: number;
  /** Milliseconds from the last header to the last byte. */
  readonly ms: number;
  readonly referer?: string;
  readonly userAgent?: string;
}

/**
 * Adds `X-Request-Id` to every response of a handler, and reports every request once it has ended.
 * @param onEntry called once per request; absent: requests get their ids and nothing is reported
 */
export function observed(handler: Handler, clock: Clock, onEntry?: (entry: AccessEntry) => void): Handler {
  return (request, response) => {
    response.setHeader("X-Request-Id", requestId(request));
    if (onEntry !== undefined) observe(request, response, clock, onEntry);
    return handler(request, response);
  };
}

function observe(
  request: IncomingMessage,
  response: ServerResponse,
  clock: Clock,
  onEntry: (entry: AccessEntry) => void,
): void {
  const time = clock.now();
  const started = performance.now();
  const { socket, headers } = request;
  const before = socket.bytesWritten;
  const { address, ...peer } = peerOf(request);
  response.on("close", () => {
    onEntry({
      time,
      id: requestId(request),
      ...peer,
      remote: address,
      method: request.method ?? "",
      subject: subjectOf(request),
      target: withoutCode(request.url ?? ""),
      httpVersion: request.httpVersion,
      ...(response.headersSent ? { status: response.statusCode } : {}),
      complete: response.writableFinished,
      bytes: socket.bytesWritten - before,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      ...(headers.referer === undefined ? {} : { referer: withoutCode(headers.referer) }),
      ...(headers["user-agent"] === undefined ? {} : { userAgent: headers["user-agent"] }),
    });
  });
}

/** How a line of the access log is spelled. */
export type AccessLogFormat = "json" | "text";

/**
 * A line of the access log. `text` is the combined format of web servers followed by milliseconds and id, which
 * their tools read; in both, nothing that a client sends can begin another line.
 */
export function accessLine(entry: AccessEntry, format: AccessLogFormat): string {
  if (format === "json") return JSON.stringify({ ...entry, time: formatTimestamp(entry.time) });
  const { method, target, httpVersion, status = "-", bytes, ms, id } = entry;
  const request = quoted(`${method} ${target} HTTP/${httpVersion}`);
  const client = `${entry.remote} - ${bare(entry.subject ?? entry.certname)} [${webServerTime(entry.time)}]`;
  return `${client} ${request} ${status} ${bytes} ${quoted(entry.referer)} ${quoted(entry.userAgent)} ${ms} ${id}`;
}

/** `21/Nov/2026:09:33:05 +0000` */
function webServerTime(time: Timestamp): string {
  const [, day, month, year, clock] = new Date(Number(time / 1000n)).toUTCString().split(" ");
  return `${day}/${month}/${year}:${clock} +0000`;
}

function quoted(text = "-"): string {
  return `"${text.replaceAll(/["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, escape)}"`;
}

/** A name without quotes must not contain spaces. */
function bare(text = "-"): string {
  return text.replaceAll(/["\\\s\u0000-\u001f\u007f-\u009f]/g, escape);
}

function escape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
