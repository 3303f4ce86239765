import { STATUS_CODES } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "#test/app/openapi/operations.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { populatedStore } from "#test/fixture-store.ts";
import { exchange, headOf } from "./raw.ts";

let service: Served;
beforeAll(async () => {
  service = await serve(await populatedStore());
});
afterAll(() => service.close());

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] as const;

/** What is described, filled with markup, and what is not there. */
const targets: readonly string[] = [
  ...new Set(operations.map(({ path }) => path.replaceAll(/\{.+?\}/g, "%3Cb%3Eevil"))),
  "/pdb/query",
  "/pdb/query/v3/nodes",
  "/pdb/query/v4/nodes?bogus=%3Cb%3Eevil",
  "/pdb/query/v4?query=%3Cb%3Eevil",
  "/pdb/cmd/v1?command=%3Cb%3Eevil&certname=a&version=1",
  "/pdb/cmd/v2",
  "/metrics/v2/read/%3Cb%3Eevil?mimeType=text/html",
  "/metrics/v2?callback=%3Cb%3Eevil",
  "/status/v1/services/%3Cb%3Eevil",
  "/status/v1/simple/%3Cb%3Eevil",
  "/%3Cb%3Eevil",
  "/<b>evil",
  "/%zz",
];

/** Whether the response is a stream of events, which ends only with the connection, and its head is there. */
function isStreamOfEvents(text: string): boolean {
  return text.includes("\r\n\r\n") && headOf(text).headers["content-type"]?.startsWith("text/event-stream") === true;
}

describe.each(targets)("every response to %s", (target) => {
  it.each(methods)("%s has a reason phrase, a content type, nosniff and no-store", async (method) => {
    const request = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    const { text } = await exchange({ url: service.url }, request, { isEnough: isStreamOfEvents });
    const { statusLine, headers } = headOf(text);
    const status = Number(statusLine.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    expect(statusLine).toBe(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toMatch(/^no-(?:store|cache)$/);
    expect(headers["content-type"]).toMatch(/^(?:application|text)\/\w/);
    // Pages never repeat what was sent.
    expect(headers["content-type"]?.startsWith("text/html") === true && text.includes("<b>evil")).toBe(false);
    expect(service.faults.splice(0)).toEqual([]);
  });
});
