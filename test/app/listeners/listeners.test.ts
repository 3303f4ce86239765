import { once } from "node:events";
import { Agent, type RequestListener } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type AddressInfo, connect, createServer } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Listeners, openListeners } from "#app/listeners/listeners.ts";
import { as, send, keptLog, openSite, outcome, type Site } from "./site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site[Symbol.asyncDispose]());

/** Both listeners over one handler. The grace is longer than a test may take, so nothing passes by waiting for it. */
function openBoth(handler: RequestListener, graceMs = 600_000): Promise<Listeners> {
  const plain = { host: "127.0.0.1", port: 0 };
  return openListeners(handler, { plain, tls: site.tls, graceMs, log: keptLog() });
}

/** The two ways to a handler: where it is, and what a client brings. */
function ways({ plainUrl = "", tlsUrl = "" }: Listeners) {
  return [
    { url: plainUrl, handshake: {}, keepAlive: new Agent({ keepAlive: true }) },
    {
      url: tlsUrl,
      handshake: as(site, "member"),
      keepAlive: new HttpsAgent({ keepAlive: true, ...as(site, "member") }),
    },
  ];
}

/** A handler that answers when it is let. */
function gate(body: string | Buffer, begin = false) {
  let arrived: () => void;
  let open: () => void;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const opening = new Promise<void>((resolve) => (open = resolve));
  const handler: RequestListener = (_, response) => {
    if (begin) response.write("begun ");
    arrived();
    void opening.then(() => response.end(body));
  };
  return { handler, arrival, open: () => open() };
}

describe("both listeners", () => {
  it("call the same handler", async () => {
    let requests = 0;
    const listeners = await openBoth((_, response) => response.end(String(++requests)));
    const texts = [];
    for (const { url, handshake } of ways(listeners)) texts.push((await send(url, handshake)).text);
    expect(texts).toEqual(["1", "2"]);
    await listeners.close();
  });

  it("are opened both or not at all", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const spare = createServer().listen(0, "127.0.0.1");
    await once(spare, "listening");
    const { port: tlsPort } = spare.address() as AddressInfo;
    spare.close();
    await once(spare, "close");
    const tls = { ...site.tls, port: tlsPort };
    const opening = openListeners(() => undefined, { plain: { host: "127.0.0.1", port }, tls, log: keptLog() });
    await expect(opening).rejects.toMatchObject({ name: "PortTaken" });
    expect(await outcome(send(`https://127.0.0.1:${tlsPort}`, as(site, "member")))).toBe("refused");
    holder.close();
  });
});

describe("closing", () => {
  it.each([
    // A response that has not begun can still say "Connection: close".
    { name: "one that has not begun", begin: false, text: "done", connection: "close" },
    { name: "one that is half out", begin: true, text: "begun done", connection: "keep-alive" },
  ])("lets running requests finish: $name", async ({ begin, text, connection }) => {
    for (const way of [0, 1]) {
      const { handler, arrival, open } = gate("done", begin);
      const listeners = await openBoth(handler);
      const { url, handshake, keepAlive } = ways(listeners)[way]!;
      const answer = send(url, { ...handshake, agent: keepAlive });
      await arrival;
      const closed = listeners.close();
      expect(await outcome(send(url, handshake))).toBe("refused");
      open();
      expect(await answer).toMatchObject({ status: 200, text, headers: { connection } });
      await closed;
      keepAlive.destroy();
    }
  });

  it("sends a response to its last byte, also to a slow reader", async () => {
    const body = Buffer.alloc(8_000_000, "x");
    const { handler, arrival, open } = gate(body);
    const listeners = await openBoth(handler);
    const socket = connect(Number(new URL(listeners.plainUrl!).port), "127.0.0.1").pause();
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await arrival;
    open();
    // The handler has handed over everything; most of it waits for the client.
    await once(socket, "readable");
    const closed = listeners.close();
    const answer = await buffer(socket);
    expect(answer.length - answer.indexOf("\r\n\r\n")).toBeGreaterThan(body.length);
    await closed;
  });

  it("closes idle connections at once, also those that never sent anything", async () => {
    const listeners = await openBoth((_, response) => response.end());
    const ended: Promise<unknown>[] = [];
    for (const { url, handshake, keepAlive } of ways(listeners)) {
      await send(url, { ...handshake, agent: keepAlive });
      const silent = connect(Number(new URL(url).port), "127.0.0.1");
      silent.on("error", () => undefined);
      ended.push(new Promise((resolve) => silent.on("close", resolve)));
      await once(silent, "connect");
    }
    // A handshake later, the silent ones have been accepted as well.
    for (const { url, handshake } of ways(listeners)) await send(url, handshake);
    await listeners.close();
    expect(await Promise.all(ended)).toHaveLength(2);
  });

  it("closes remaining connections when the grace period is over", async () => {
    const { handler, arrival } = gate("never");
    const listeners = await openBoth(handler, 50);
    const answers = ways(listeners).map(({ url, handshake }) => outcome(send(url, handshake)));
    await arrival;
    await listeners.close();
    expect(await Promise.all(answers)).toEqual(["refused", "refused"]);
  });
});
