import type { RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccessEntry, accessLine } from "#app/listeners/access-log.ts";
import { openListeners } from "#app/listeners/listeners.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import { as, send, keptLog, openSite, outcome, type Site } from "./site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site[Symbol.asyncDispose]());

const TIME = parseTimestamp("2026-11-21T09:33:05.250Z")!;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Serves plain HTTP and TLS, and returns the entries once there are as many as expected. */
async function observe(handler: RequestListener, expected: number) {
  const entries: AccessEntry[] = [];
  let complete: () => void;
  const all = new Promise<void>((resolve) => (complete = resolve));
  const listeners = await openListeners(handler, {
    plain: { host: "127.0.0.1", port: 0 },
    tls: site.tls,
    log: keptLog(),
    clock: fixedClock(TIME),
    onAccess: (entry) => {
      entries.push(entry);
      if (entries.length === expected) complete();
    },
  });
  return {
    plain: listeners.plainUrl!,
    tls: listeners.tlsUrl!,
    entries: () => all.then(() => entries),
    [Symbol.asyncDispose]: () => listeners.close(),
  };
}

describe("the access log", () => {
  it("has one entry for every request when it is over", async () => {
    await using service = await observe((_, response) => response.writeHead(404).end("x".repeat(100)), 2);
    const headers = { "user-agent": "a test", referer: "http://localhost/" };
    await send(service.plain, { path: "/pdb/query/v4/nodes?limit=1", headers });
    await send(service.tls, { ...as(site, "member"), method: "POST", path: "/pdb/cmd/v1", body: "{}" });
    const common = { time: TIME, remote: "127.0.0.1", httpVersion: "1.1", status: 404, complete: true };
    expect(await service.entries()).toMatchObject([
      { ...common, listener: "plain", method: "GET", target: "/pdb/query/v4/nodes?limit=1", userAgent: "a test" },
      { ...common, listener: "tls", method: "POST", target: "/pdb/cmd/v1", certname: "member.example.com" },
    ]);
    for (const { bytes, ms } of await service.entries()) {
      expect(bytes).toBeGreaterThan(100);
      expect(bytes).toBeLessThan(1000);
      expect(ms).toBeGreaterThan(0);
    }
  });

  it("has entries for clients that did not wait for the response", async () => {
    await using service = await observe((request) => request.socket.destroy(), 1);
    expect(await outcome(send(service.plain))).toBe("refused");
    const [entry] = await service.entries();
    expect(entry).toMatchObject({ complete: false, target: "/" });
    expect(entry).not.toHaveProperty("status");
  });
});

describe("a request's id", () => {
  it.each<[sent: string | undefined, expected: RegExp]>([
    [undefined, UUID],
    ["8f14e45f-ceea", /^8f14e45f-ceea$/],
    ["Root=1-67891233-abc/def:4+x", /^Root=1-67891233-abc\/def:4\+x$/],
    ["with space", UUID],
    ['quote"', UUID],
    ["x".repeat(129), UUID],
    ["", UUID],
  ])("is accepted or generated: %j", async (sent, expected) => {
    await using service = await observe((_, response) => response.end(), 1);
    const { headers } = await send(service.plain, sent === undefined ? {} : { headers: { "x-request-id": sent } });
    expect(headers["x-request-id"]).toMatch(expected);
    expect((await service.entries())[0]?.id).toBe(headers["x-request-id"]);
  });
});

describe("a line", () => {
  const entry: AccessEntry = {
    time: TIME,
    id: "7",
    listener: "tls",
    remote: "10.1.2.3",
    certname: "member.example.com",
    method: "GET",
    target: "/pdb/meta/v1/version",
    httpVersion: "1.1",
    status: 200,
    complete: true,
    bytes: 123,
    ms: 1.5,
    userAgent: "curl/8",
  };

  it("of text has the format of web servers, with more fields at its end", () => {
    expect(accessLine(entry, "text")).toBe(
      "10.1.2.3 - member.example.com [21/Nov/2026:09:33:05 +0000] " +
        '"GET /pdb/meta/v1/version HTTP/1.1" 200 123 "-" "curl/8" 1.5 7',
    );
  });

  it("of JSON has a name for every field", () => {
    expect(JSON.parse(accessLine(entry, "json"))).toEqual({ ...entry, time: "2026-11-21T09:33:05.250Z" });
  });

  const hostile = 'x" 200\n10.0.0.1 \u2028\u001b[2J\\';
  const { status: _, ...unanswered } = entry;
  const forged: AccessEntry = { ...unanswered, certname: hostile, target: hostile, userAgent: hostile };

  it("of text escapes quotes and line ends in any field", () => {
    const line = accessLine(forged, "text");
    expect(line).not.toMatch(/[\n\u2028\u001b]/);
    expect(line.match(/"/g)).toHaveLength(6);
  });

  it("of JSON is one line from which every field can be read", () => {
    const line = accessLine(forged, "json");
    expect(line).not.toMatch(/[\n\u001b]/);
    expect(JSON.parse(line)).toMatchObject({ target: hostile, certname: hostile });
  });
});
