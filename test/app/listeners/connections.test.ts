import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entrance } from "#app/http/entrance.ts";
import { Connections } from "#app/listeners/connections.ts";
import { connectionsWithin, descriptorLimit } from "#app/listeners/descriptors.ts";
import { defaultLimits, type RequestLimits } from "#app/listeners/limits.ts";
import { openPlain } from "#app/listeners/plain.ts";
import { openTls } from "#app/listeners/tls.ts";
import { exchange, open, type RawTarget } from "#test/app/http/raw.ts";
import { as, keptLog, openSite, type Site } from "./site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site[Symbol.asyncDispose]());

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** A request whose body should have ten bytes. */
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nConnection: close\r\n\r\n${body}`;

/** A listener whose `/slow` is answered when the test says so. */
async function listen(kind: "plain" | "tls", limits: Partial<RequestLimits>) {
  const log = keptLog();
  const slow: ServerResponse[] = [];
  const arrived = new EventTarget();
  const handler: RequestListener = (request, response) => {
    if (request.url === "/slow") {
      slow.push(response);
      arrived.dispatchEvent(new Event("slow"));
    } else {
      request.on("end", () => response.end("at once")).resume();
    }
  };
  const all = { ...defaultLimits, ...limits };
  const connections = new Connections(all, log);
  const listener =
    kind === "plain"
      ? await openPlain(entrance(handler), { host: "127.0.0.1", port: 0 }, all, log, connections)
      : await openTls(entrance(handler), site.tls, all, log, connections);
  const target: RawTarget =
    kind === "plain" ? { url: listener.url } : { url: listener.url, handshake: as(site, "member") };
  return {
    log,
    slow,
    target,
    nextSlow: async () => once(arrived, "slow"),
    [Symbol.asyncDispose]: () => listener.close(0),
  };
}

/** A connection that has been accepted: its request was answered. */
async function idleOne(target: RawTarget): Promise<Socket> {
  const socket = open(target);
  socket.write(get("/"));
  await once(socket, "data");
  return socket;
}

const isAnswered = (text: string): boolean => text.endsWith("at once");

describe.each(["plain", "tls"] as const)("more connections than the limit: %s", (kind) => {
  it("close idle ones, the longest idle first", async () => {
    await using listener = await listen(kind, { connections: 2 });
    const { target, log } = listener;
    const first = await idleOne(target);
    const second = await idleOne(target);
    const ended = once(first, "end");
    expect((await exchange(target, get("/"), { isEnough: isAnswered })).text).toContain("200 OK");
    await ended;
    expect(second.readableEnded).toBe(false);
    expect(log.warnings).toEqual(["all 2 connections are in use; closing an idle one"]);
    for (const socket of [first, second]) socket.destroy();
  });

  it("are refused while all others have running requests", async () => {
    await using listener = await listen(kind, { connections: 1 });
    const { target, slow, nextSlow, log } = listener;
    const busy = open(target);
    const text = buffer(busy);
    const arrived = nextSlow();
    busy.write(get("/slow"));
    await arrived;
    const refused = await exchange(target, kind === "plain" ? "" : get("/"));
    expect(refused.closed).toBe(true);
    // Under TLS there is no handshake, so no answer either.
    expect(refused.text).toMatch(kind === "plain" ? /^HTTP\/1\.1 503 Service Unavailable\r\n.*Retry-After: 1/s : /^$/);
    slow[0]?.setHeader("Connection", "close").end("at last");
    expect((await text).toString()).toContain("at last");
    expect((await exchange(target, get("/"), { isEnough: isAnswered })).text).toContain("200 OK");
    expect(log.warnings).toEqual(["all 1 connections are in use; rejecting a new one"]);
  });
});

describe.each(["plain", "tls"] as const)("a client that closes its side: %s", (kind) => {
  it.each([
    ["reads the answer", get("/slow")],
    ["reads the answer by HTTP/1.0", "GET /slow HTTP/1.0\r\n\r\n"],
  ])("%s", async (_, request) => {
    await using listener = await listen(kind, {});
    const { target, slow, nextSlow } = listener;
    const arrived = nextSlow();
    const received = exchange(target, request, { end: true });
    await arrived;
    const [response] = slow;
    if (response === undefined) throw new Error("it did not arrive");
    const socket = response.socket;
    if (socket !== null && !socket.readableEnded) await once(socket, "end");
    response.end("at last");
    expect((await received).text).toContain("at last");
  });

  it.each([
    ["malformed", "hello"],
    ["incomplete", "5\r\nhel"],
  ])("gets a 400 where the body of a request with Upgrade is %s", async (_, body) => {
    await using listener = await listen(kind, {});
    const head = "Connection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n";
    const request = `POST / HTTP/1.1\r\nHost: localhost\r\n${head}\r\n${body}`;
    expect((await exchange(listener.target, request, { end: true })).text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it("and ends, is detected", async () => {
    await using listener = await listen(kind, {});
    const { target, slow, nextSlow } = listener;
    const arrived = nextSlow();
    const socket = open(target);
    socket.write(get("/slow"));
    await arrived;
    socket.destroy();
    const [response] = slow;
    if (response !== undefined && !response.closed) await once(response, "close");
    expect(response?.writableFinished).toBe(false);
  });
});

describe.each(["plain", "tls"] as const)("a client that stops in the middle of a body: %s", (kind) => {
  it("gets a 408, and other clients do not", async () => {
    await using listener = await listen(kind, { stallMs: 50 });
    const { target, slow, nextSlow } = listener;
    const other = open(target);
    const received = buffer(other);
    const arrived = nextSlow();
    other.write(post("/slow", "1234567890"));
    await arrived;
    const { text, closed } = await exchange(target, post("/", "12345"));
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(closed).toBe(true);
    slow[0]?.end("at last");
    expect((await received).toString()).toContain("at last");
  });
});

describe.each(["plain", "tls"] as const)("bytes that are not HTTP: %s", (kind) => {
  it("close the connection after the responses to earlier requests", async () => {
    await using listener = await listen(kind, {});
    const { target, slow, nextSlow, log } = listener;
    const socket = open(target);
    const received = buffer(socket);
    const arrived = nextSlow();
    socket.write(get("/") + get("/slow"));
    await arrived;
    await new Promise<void>((resolve) => socket.write("\0\0\0\0", () => resolve()));
    await expect
      .poll(() => log.warnings)
      .toEqual([expect.stringMatching(/^request from 127\.0\.0\.1 refused: Parse Error/)]);
    slow[0]?.end("at last");
    const text = (await received).toString();
    expect(text).toMatch(/at once.*at last$/s);
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });
});

describe.each(["plain", "tls"] as const)("a client that sends nothing: %s", (kind) => {
  it("does not delay closing", async () => {
    await using listener = await listen(kind, { headersMs: 20, idleMs: 20, stallMs: 50 });
    expect((await exchange(listener.target, "")).closed).toBe(true);
  });
});

describe("the descriptor limit", () => {
  it.each([
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [1024, 448],
    [256, 64],
    [100, 16],
  ])("of %d allows %d connections", (files, expected) => {
    expect(connectionsWithin(files)).toBe(expected);
  });

  it("of this process is known", () => {
    expect(descriptorLimit()).toBeGreaterThan(100);
  });
});
