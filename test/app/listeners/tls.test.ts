import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { Agent, createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entrance } from "#app/http/entrance.ts";
import { defaultLimits } from "#app/listeners/limits.ts";
import { type Peer, peerOf } from "#app/listeners/peer.ts";
import { openTls, type TlsListener, type TlsOptions } from "#app/listeners/tls.ts";
import { open as openRaw } from "#test/app/http/raw.ts";
import { createAuthority } from "#test/certificates.ts";
import {
  as,
  send,
  type Handshake,
  keptLog,
  type KeptLog,
  openSite,
  outcome,
  serverNames,
  type Person,
  type Site,
} from "./site.ts";

function nameOf({ certname, isUnnamed }: Peer): string {
  return certname ?? (isUnnamed === true ? "unnamed" : "nobody");
}

/** Answers with what it knows of the client. */
const whoAreYou: RequestListener = (request, response) => {
  response.end(nameOf(peerOf(request)));
};

interface Opened extends TlsListener, AsyncDisposable {
  readonly log: KeptLog;
}

async function open(options: TlsOptions): Promise<Opened> {
  const log = keptLog();
  const listener = await openTls(whoAreYou, options, defaultLimits, log);
  return { ...listener, log, [Symbol.asyncDispose]: () => listener.close(0) };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

let site: Site;
let listener: Opened;
beforeAll(async () => {
  site = await openSite();
  listener = await open(site.tls);
});
afterAll(async () => {
  await listener[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("a client", () => {
  it.each<[person: Person, warning: RegExp]>([
    ["stranger", /refused: its certificate is not signed by the CA in ssl-ca-cert$/],
    ["impostor", /refused: its certificate is not signed by the CA in ssl-ca-cert$/],
    ["expired", /refused: its certificate has expired$/],
    ["early", /refused: its certificate is not valid yet$/],
    ["revoked", /refused: its certificate is revoked$/],
    ["anonymous", /refused: it sent no certificate$/],
  ])("that is %s is refused in its handshake, and the log says why", async (person, warning) => {
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      const before = listener.log.warnings.length;
      expect(await outcome(send(listener.url, { ...as(site, person), maxVersion }))).toBe("refused");
      expect(listener.log.warnings.slice(before)).toEqual([expect.stringMatching(warning)]);
      expect(listener.log.warnings.at(-1)).toMatch(/^connection from 127\.0\.0\.1 /);
    }
  });

  it("with a certificate of the authority is recognised by its name, also in a resumed session", async () => {
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      const first = await exchange(listener.url, { ...as(site, "member"), maxVersion });
      const second = await exchange(listener.url, { ...as(site, "member"), maxVersion }, first.session);
      expect([first.resumed, second.resumed]).toEqual([false, true]);
      expect([first.text, second.text]).toEqual(["member.example.com", "member.example.com"]);
    }
  });

  it("whose certificate has two common names has no name", async () => {
    const { cert, key } = site.authority.issue({ name: ["member.example.com", "admin.example.com"] });
    expect(await send(listener.url, { ca: site.authority.cert, cert, key })).toMatchObject({ text: "unnamed" });
  });
});

/** One request on a connection of its own; the session is what the server gave to resume. */
async function exchange(url: string, options: Handshake, session?: Buffer) {
  const port = Number(new URL(url).port);
  const socket = connect({ host: "127.0.0.1", port, ...options, ...(session === undefined ? {} : { session }) });
  const resumed = once(socket, "secureConnect").then(() => socket.isSessionReused());
  const sessions: Buffer[] = [];
  socket.on("session", (given: Buffer) => sessions.push(given));
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const [, text = ""] = (await buffer(socket)).toString().split("\r\n\r\n");
  return { text, resumed: await resumed, session: sessions.at(-1) };
}

describe("a scan of the listener", () => {
  /** A server that accepts every protocol and cipher, which shows that the client offers them. */
  let lax: Server;
  beforeAll(async () => {
    const { cert, key } = site.authority.issue({ name: "lax", at: serverNames });
    lax = createServer({ cert, key, minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" }, (_, response) => response.end());
    lax.listen(0, "127.0.0.1");
    await once(lax, "listening");
  });
  afterAll(() => lax.close());

  it.each<[offer: Handshake, expected: number | "refused"]>([
    [{ minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" }, "refused"],
    [{ minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" }, "refused"],
    [{ minVersion: "TLSv1.2", maxVersion: "TLSv1.2" }, 200],
    [{ minVersion: "TLSv1.3", maxVersion: "TLSv1.3" }, 200],
    [{ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256" }, 200],
    [{ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES256-GCM-SHA384" }, 200],
    [{ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256" }, "refused"],
    [{ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES256-SHA" }, "refused"],
  ])("%o: %s", async (offer, expected) => {
    const sent = { ...as(site, "member"), ...offer };
    const { port } = lax.address() as AddressInfo;
    expect(await outcome(send(`https://127.0.0.1:${port}`, sent))).toBe(200);
    expect(await outcome(send(listener.url, sent))).toBe(expected);
  });

  it("finds no other protocol than HTTP/1.1", async () => {
    const { port } = new URL(listener.url);
    const socket = connect({
      host: "127.0.0.1",
      port: Number(port),
      ...as(site, "member"),
      ALPNProtocols: ["h2", "http/1.1"],
    });
    await once(socket, "secureConnect");
    expect(socket.alpnProtocol).toBe("http/1.1");
    socket.destroy();
  });

  it("finds no plain HTTP", async () => {
    expect(await outcome(send(listener.url.replace("https:", "http:")))).toBe("refused");
  });
});

describe("client-auth", () => {
  it.each<[clientAuth: "want" | "none", person: Person, expected: string]>([
    ["want", "anonymous", "200 nobody"],
    ["want", "member", "200 member.example.com"],
    ["want", "revoked", "refused"],
    ["want", "stranger", "refused"],
    ["none", "anonymous", "200 nobody"],
    ["none", "member", "200 nobody"],
  ])("%s: %s: %s", async (clientAuth, person, expected) => {
    await using opened = await open({ ...site.tls, clientAuth });
    const got = await send(opened.url, as(site, person)).catch(() => undefined);
    expect(got === undefined ? "refused" : `${got.status} ${got.text}`).toBe(expected);
    expect(opened.log.warnings[0]).toBe(`client-auth = ${clientAuth}: clients without a certificate are accepted`);
  });
});

describe("authorities in a chain", () => {
  it("need a revocation list each, all in one file", async () => {
    const intermediate = site.authority.subordinate("Intermediate CA");
    const member = intermediate.issue({ name: "below.example.com" });
    const revoked = intermediate.issue({ name: "below.example.com" });
    const server = intermediate.issue({ name: "census.example.com", at: serverNames });
    const lists = [intermediate.revoke([revoked]), site.authority.revoke([])];
    const options: TlsOptions = {
      ...site.tls,
      cert: await site.write("chain-cert.pem", server.cert),
      key: await site.write("chain-key.pem", server.key),
      certChain: await site.write("chain.pem", intermediate.cert),
      caCert: await site.write("chain-ca.pem", intermediate.cert + site.authority.cert),
      crl: await site.write("chain-crl.pem", lists.join("")),
    };
    const ca = site.authority.cert;
    await using whole = await open(options);
    expect(await send(whole.url, { ca, ...member })).toMatchObject({ text: "below.example.com" });
    expect(await outcome(send(whole.url, { ca, ...revoked }))).toBe("refused");
    await using part = await open({ ...options, crl: await site.write("part-crl.pem", lists[1] ?? "") });
    expect(await outcome(send(part.url, { ca, ...member }))).toBe("refused");
    expect(part.log.warnings.at(-1)).toMatch(/refused: ssl-crl-path has no revocation list of the CA that issued/);
  });

  it("refuse every client once their list has expired, and the log says so", async () => {
    const crl = await site.write("old-crl.pem", site.authority.revoke([], new Date(Date.now() - 60_000)));
    await using late = await open({ ...site.tls, crl });
    expect(await outcome(send(late.url, as(site, "member")))).toBe("refused");
    expect(late.log.warnings.at(-1)).toMatch(/refused: the revocation list in ssl-crl-path has expired/);
  });
});

describe("reloading certificates", () => {
  it("uses a new server certificate for new connections and keeps open ones", async () => {
    await using own = await openSite();
    await using opened = await open(own.tls);
    const agent = new Agent({ keepAlive: true, ...as(own, "member") });
    const over = (): Promise<{ text: string }> => send(opened.url, { agent });
    expect(await over()).toMatchObject({ text: "member.example.com" });
    const [kept] = Object.values(agent.freeSockets).flat();

    const server = own.authority.issue({ name: "census.example.com", at: serverNames });
    await own.write("cert.pem", server.cert);
    await own.write("key.pem", server.key);
    await opened.reload();

    expect(await over()).toMatchObject({ text: "member.example.com" });
    expect(Object.values(agent.freeSockets).flat()).toEqual([kept]);
    agent.destroy();
  });

  it("uses new authorities, and closes connections of the old ones", async () => {
    await using own = await openSite();
    await using opened = await open(own.tls);
    const agent = new Agent({ keepAlive: true, ...as(own, "member") });
    expect(await send(opened.url, { agent })).toMatchObject({ text: "member.example.com" });
    const [kept] = Object.values(agent.freeSockets).flat();
    if (kept === undefined) throw new Error("the connection was not kept");
    const closed = once(kept, "close");

    const next = createAuthority("Next CA");
    const server = next.issue({ name: "census.example.com", at: serverNames });
    const newcomer = next.issue({ name: "newcomer.example.com" });
    await own.write("cert.pem", server.cert);
    await own.write("key.pem", server.key);
    await own.write("ca.pem", next.cert);
    await own.write("crl.pem", next.revoke([]));
    await opened.reload();

    expect(opened.log.notices).toEqual([`${opened.url}: reloaded certificates`]);
    await closed;
    expect(await send(opened.url, { ca: next.cert, ...newcomer })).toMatchObject({ text: "newcomer.example.com" });
    expect(await outcome(send(opened.url, { ...as(own, "member"), ca: next.cert }))).toBe("refused");
    agent.destroy();
  });

  it("refuses clients that a new list revokes, also in a resumed session", async () => {
    await using own = await openSite();
    await using opened = await open(own.tls);
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      const member = { ...as(own, "member"), maxVersion };
      await own.write("crl.pem", own.authority.revoke([]));
      await opened.reload();
      const { session, text } = await exchange(opened.url, member);
      expect(text).toBe("member.example.com");
      await own.write("crl.pem", own.authority.revoke([own.people.member!]));
      await opened.reload();
      const again = await exchange(opened.url, member, session).catch(() => ({ text: "" }));
      expect(again.text).toBe("");
    }
  });

  it("closes connections of clients that a new list revokes, after the running response", async () => {
    await using own = await openSite();
    const log = keptLog();
    const under = Promise.withResolvers<ServerResponse>();
    const handled: string[] = [];
    const handler: RequestListener = ({ url = "" }, response) => {
      handled.push(url);
      if (url === "/slow") under.resolve(response);
      else response.end("at once");
    };
    await using listener = await openTls(entrance(handler), own.tls, defaultLimits, log).then((opened) => ({
      ...opened,
      [Symbol.asyncDispose]: () => opened.close(0),
    }));
    const socket = openRaw({ url: listener.url, handshake: as(own, "member") });
    const received = buffer(socket);
    socket.write(get("/first") + get("/slow"));
    const response = await under.promise;
    await own.write("crl.pem", own.authority.revoke([own.people.member!]));
    await listener.reload();
    await new Promise<void>((resolve) => socket.write(get("/afterwards"), () => resolve()));
    response.end("to its end");
    const text = (await received).toString();
    expect(text).toMatch(/at once.*to its end$/s);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(handled).toEqual(["/first", "/slow"]);
  });

  it("keeps the old ones if the new ones are invalid, and logs that", async () => {
    await using own = await openSite();
    await using opened = await open(own.tls);
    await own.write("cert.pem", "nonsense");
    await opened.reload();
    expect(opened.log.warnings).toEqual([
      `${opened.url}: keeping the current certificates: ` +
        `ssl-cert: ${own.path("cert.pem")} is not a PEM file with a certificate`,
    ]);
    expect(await send(opened.url, as(own, "member"))).toMatchObject({ status: 200 });
  });
});
