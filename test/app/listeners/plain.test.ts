import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { isLoopback } from "#app/listeners/address.ts";
import { defaultLimits } from "#app/listeners/limits.ts";
import { type Listener, openPlain, type PlainOptions } from "#app/listeners/plain.ts";
import { send, keptLog, type KeptLog } from "./site.ts";

async function open(options: Partial<PlainOptions> = {}): Promise<Listener & AsyncDisposable & { log: KeptLog }> {
  const log = keptLog();
  const place = { host: "127.0.0.1", port: 0, ...options };
  const listener = await openPlain((_, response) => response.end("here"), place, defaultLimits, log);
  return { ...listener, log, [Symbol.asyncDispose]: () => listener.close(0) };
}

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === "::1");

describe("loopback", () => {
  it.each([
    ["127.0.0.1", true],
    ["127.255.0.9", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["128.0.0.1", false],
    ["0.0.0.0", false],
    ["::", false],
    ["::ffff:10.0.0.1", false],
    ["fe80::1%eth0", false],
    ["localhost", false],
    ["", false],
  ])("%s: %s", (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});

describe("plain HTTP", () => {
  it.each(["127.0.0.1", "localhost"])("is served on %s", async (host) => {
    await using listener = await open({ host });
    expect(listener.url).toMatch(new RegExp(`^http://${host}:\\d+$`));
    expect(await send(listener.url)).toMatchObject({ status: 200, text: "here" });
    expect(listener.log.warnings).toEqual([]);
  });

  it.skipIf(isLeftOut("a listener on ::1", hasIpv6 ? undefined : "no IPv6", RESTRICTED_MACHINE))(
    "on ::1 has a URL with the address in brackets",
    async () => {
      await using listener = await open({ host: "::1" });
      expect(listener.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
      expect(await send(listener.url)).toMatchObject({ status: 200 });
    },
  );

  it.each(["0.0.0.0", "::", "192.0.2.1"])("on %s is refused, and the message says what to do", async (host) => {
    await expect(open({ host })).rejects.toMatchObject({
      code: "bad-input",
      message:
        `plain HTTP on ${host} would be exposed to the network; ` +
        "use ssl-host and ssl-port with certificates, listen on 127.0.0.1, or add --allow-plain-http",
    });
  });

  it("beyond loopback causes a warning if the setting allows it", async () => {
    await using listener = await open({ host: "0.0.0.0", allowPlainHttp: true });
    expect(listener.log.warnings).toEqual([expect.stringMatching(/^plain HTTP on 0\.0\.0\.0: [^\n]+$/)]);
    expect(await send(listener.url.replace("0.0.0.0", "127.0.0.1"))).toMatchObject({ status: 200 });
  });
});

describe("an address", () => {
  it("that another program uses is reported with the option that helps", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    await expect(open({ port })).rejects.toMatchObject({
      name: "PortTaken",
      code: "bad-file",
      message: `127.0.0.1:${port} is in use by another program; choose another port with --port`,
    });
    holder.close();
  });

  it("that this machine does not have is reported", async () => {
    await expect(open({ host: "192.0.2.1", allowPlainHttp: true })).rejects.toMatchObject({ code: "bad-file" });
  });

  it("whose name does not resolve is reported", async () => {
    await expect(open({ host: "nowhere.invalid" })).rejects.toMatchObject({
      code: "bad-file",
      message: expect.stringMatching(/^nowhere\.invalid:0 /),
    });
  });
});

describe("headers", () => {
  it.each([
    [defaultLimits.headerBytes - 500, 200],
    [defaultLimits.headerBytes + 100, 431],
  ])("of %i bytes: %i (reference/http.md §4)", async (bytes, status) => {
    await using listener = await open();
    const socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: ${"x".repeat(bytes)}\r\n\r\n`);
    expect((await buffer(socket)).toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});
