import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyStore } from "#test/fixture-store.ts";
import { startService, type Service } from "#app/service.ts";
import type { Store } from "#storage/store.ts";
import { as, keptLog, openSite, type Site } from "#test/app/listeners/site.ts";
import { exchange, headOf, open, type RawTarget } from "./raw.ts";

let store: Store;
let site: Site;
let service: Service;
const faults: unknown[] = [];
beforeAll(async () => {
  [store, site] = await Promise.all([emptyStore(), openSite()]);
  service = await startService({
    store,
    plain: { host: "127.0.0.1", port: 0 },
    tls: { ...site.tls, clientAuth: "want" },
    onFault: (error) => faults.push(error),
    log: keptLog(),
  });
});
afterAll(async () => {
  await service.close();
  await store.close();
  await site[Symbol.asyncDispose]();
});

/** Who sends the requests: each of them may reach the server, and none but `plain` and `member` may see an answer. */
const clients = {
  plain: (): RawTarget => ({ url: service.plainUrl ?? "" }),
  "a member over TLS": (): RawTarget => ({ url: service.tlsUrl ?? "", handshake: as(site, "member") }),
  "a client without a certificate": (): RawTarget => ({ url: service.tlsUrl ?? "", handshake: as(site, "anonymous") }),
} as const;

const HOST = "Host: localhost\r\n";
const CLOSE = `${HOST}Connection: close\r\n`;
const get = (target: string, headers = HOST): string => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body: string): string => `POST /pdb/cmd/v1 HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;

/** What ends a server that believes what it is sent. The connection is closed after each, and no answer is a 5xx. */
const hostile: Readonly<Record<string, string | Buffer>> = {
  "two dots with a port beyond 65535": get("/..", "Host: x:99999\r\n"),
  "a needless escape with a port beyond 65535": get("/%41", "Host: x:99999\r\n"),
  "a quote in the query with an address of five parts": get("/?'", "Host: 1.2.3.4.5\r\n"),
  "an address of five parts": get("/", "Host: 1.2.3.4.5\r\n"),
  "an open bracket": get("/..", "Host: [::1\r\n"),
  "a bracket without an address": get("/..", "Host: []\r\n"),
  "a closing bracket": get("/..", "Host: ::1]\r\n"),
  "a port that is no number": get("/..", "Host: x:y\r\n"),
  "a negative port": get("/..", "Host: x:-1\r\n"),
  "a Host with a path": get("/..", "Host: x/y\r\n"),
  "a Host with a user": get("/..", "Host: a@localhost\r\n"),
  "a Host with a query": get("/..", "Host: localhost?x\r\n"),
  "a Host with a space": get("/..", "Host: local host\r\n"),
  "a Host with a backslash": get("/..", "Host: local\\host\r\n"),
  "a Host with escapes of nothing": get("/..", "Host: %zz\r\n"),
  "a Host with an escaped NUL": get("/..", "Host: %00\r\n"),
  "a Host beyond ASCII": Buffer.from(get("/..", "Host: \u00ff\u00fe\r\n"), "latin1"),
  "a Host in UTF-8": get("/..", "Host: zürich\r\n"),
  "a Host of 300 labels": get("/..", `Host: ${"a.".repeat(300)}%\r\n`),
  "an empty address": get("/..", "Host: :\r\n"),
  "two hosts": get("/status/v1/simple", "Host: localhost\r\nhost: example.com\r\n"),
  "two equal hosts": get("/status/v1/simple", `${HOST}${HOST}`),
  "no host": get("/status/v1/simple", ""),
  "an absolute target with a bad port": get("http://x:99999/.."),
  "an absolute target without a host": get("http:///.."),
  "an absolute target with a user": get("http://a:b@localhost/"),
  "an absolute target of another scheme": get("ftp://localhost/"),
  "a target of a scheme alone": get("http://"),
  "an authority": get("localhost:80"),
  "an asterisk": get("*"),
  "an asterisk for options": `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
  "a target without a slash": get("status"),
  "a question mark": get("?x"),
  "a target with a NUL": get("/\0"),
  "a target with a tab": get("/\t"),
  "a line that ends early": "GET\r\n\r\n",
  "no version": `GET /\r\n${HOST}\r\n`,
  "a version that does not exist": `GET / HTTP/9.9\r\n${HOST}\r\n`,
  "HTTP/2 with prior knowledge": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a method that does not exist": `BREW / HTTP/1.1\r\n${HOST}\r\n`,
  "bytes that are not HTTP": Buffer.from([0, 1, 2, 0xff, 0xfe, 13, 10, 13, 10]),
  "a header without a colon": get("/", `${HOST}nonsense\r\n`),
  "a header with a space before the colon": get("/", `${HOST}X-A : b\r\n`),
  "a folded header": get("/", `${HOST}X-A: b\r\n c\r\n`),
  "a header with a NUL": get("/", `${HOST}X-A: \0\r\n`),
  "a header with a bare return": get("/", `${HOST}X-A: b\rX-B: c\r\n`),
  "headers of 64 kB": get("/", `${HOST}X-A: ${"a".repeat(65_536)}\r\n`),
  "a target of 64 kB": get(`/${"a".repeat(65_536)}`),
  "length and chunks": post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
  "another request in a body of length and chunks": post(
    "Content-Length: 60\r\nTransfer-Encoding: chunked\r\n",
    `0\r\n\r\n${get("/status/v1/simple")}`,
  ),
  "chunks and length": post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
  "two lengths": post("Content-Length: 5\r\nContent-Length: 6\r\n", "12345"),
  "two equal lengths": post("Content-Length: 5\r\nContent-Length: 5\r\n", "12345"),
  "a list of lengths": post("Content-Length: 5, 5\r\n", "12345"),
  "a negative length": post("Content-Length: -5\r\n", "12345"),
  "a length with a sign": post("Content-Length: +5\r\n", "12345"),
  "a hexadecimal length": post("Content-Length: 0x5\r\n", "12345"),
  "a length beyond 64 bits": post("Content-Length: 99999999999999999999999\r\n", "12345"),
  "an unknown transfer coding": post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
  "a transfer coding before chunked": post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"),
  "chunked twice": post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"),
  "chunked in two headers": post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
  "identity and chunked": post("Transfer-Encoding: identity, chunked\r\n", "0\r\n\r\n"),
  "chunked before identity": post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
  "chunked in quotes": post('Transfer-Encoding: "chunked"\r\n', "0\r\n\r\n"),
  "chunked after a vertical tab": post("Transfer-Encoding: \vchunked\r\n", "0\r\n\r\n"),
  "chunks in HTTP/1.0": `POST /pdb/cmd/v1 HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "a chunk of a bad size": post("Transfer-Encoding: chunked\r\n", "zz\r\n\r\n"),
  "a chunk of a negative size": post("Transfer-Encoding: chunked\r\n", "-1\r\n\r\n"),
  "a chunk larger than its size": post("Transfer-Encoding: chunked\r\n", "1\r\nabc\r\n0\r\n\r\n"),
  "a chunk beyond 64 bits": post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n\r\n"),
  "a chunk extension of 64 kB": post("Transfer-Encoding: chunked\r\n", `1;${"a".repeat(65_536)}\r\na\r\n0\r\n\r\n`),
  "trailers of 64 kB": post("Transfer-Encoding: chunked\r\n", `0\r\nX-A: ${"a".repeat(65_536)}\r\n\r\n`),
  "an expectation that is unknown": get("/", `${HOST}Expect: a miracle\r\n`),
  "a tunnel": "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n",
  "a tunnel with a bad port": "CONNECT x:99999 HTTP/1.1\r\nHost: x:99999\r\n\r\n",
};

describe.each(Object.entries(clients))("as %s", (_, client) => {
  it.each(Object.entries(hostile))("%s is refused, and the next request is answered", async (_name, bytes) => {
    const { text, closed } = await exchange(client(), bytes);
    expect(closed).toBe(true);
    // One answer or none: nothing of the rest of the bytes was taken for another request.
    const answers = text.split(/(?=HTTP\/1\.1 )/).filter((answer) => answer !== "");
    expect(answers.length).toBeLessThanOrEqual(1);
    for (const { statusLine, headers } of answers.map(headOf)) {
      expect(statusLine).toMatch(/^HTTP\/1\.1 4\d\d [A-Z]/);
      expect(headers).toMatchObject({
        "content-type": expect.stringContaining("text/plain") as string,
        "content-length": expect.any(String) as string,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        connection: "close",
      });
    }
    // The same process: a handshake more for each would only take time.
    const next = await exchange(clients.plain(), get("/status/v1/simple", CLOSE));
    expect(headOf(next.text).statusLine).toBe("HTTP/1.1 200 OK");
    expect(faults.splice(0)).toEqual([]);
  });
});

/** What is unusual and valid. */
const unusual: Readonly<Record<string, readonly [bytes: string, statusLine: string]>> = {
  "an absolute target": [get("http://localhost/status/v1/simple", CLOSE), "HTTP/1.1 200 OK"],
  "an absolute target in capitals": [get("HTTP://LOCALHOST:1/status/v1/simple", CLOSE), "HTTP/1.1 200 OK"],
  "an absolute target without a path": [get("http://localhost?x", CLOSE), "HTTP/1.1 302 Found"],
  "HTTP/1.0 without a host": ["GET /status/v1/simple HTTP/1.0\r\n\r\n", "HTTP/1.1 200 OK"],
  "an address in brackets": [get("/status/v1/simple", "Host: [::1]:80\r\nConnection: close\r\n"), "HTTP/1.1 200 OK"],
  "two dots": [get("/..", CLOSE), "HTTP/1.1 302 Found"],
  "two slashes": [get("//status/v1/simple", CLOSE), "HTTP/1.1 404 Not Found"],
  "an offer of HTTP/2": [
    get("/status/v1/simple", `${CLOSE}Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n`),
    "HTTP/1.1 200 OK",
  ],
  "an offer of WebSocket": [
    get("/status/v1/simple", `${HOST}Connection: Upgrade, close\r\nUpgrade: websocket\r\n`),
    "HTTP/1.1 200 OK",
  ],
  "a trace": [`TRACE / HTTP/1.1\r\n${CLOSE}\r\n`, "HTTP/1.1 302 Found"],
  "a path that is not found": [get("/nowhere", CLOSE), "HTTP/1.1 404 Not Found"],
  "percent signs of nothing": [get("/%zz", CLOSE), "HTTP/1.1 400 Bad Request"],
  "chunks with extensions and trailers": [
    post(
      "Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n",
      "2;a=b\r\n{}\r\n0\r\nX-A: b\r\n\r\n",
    ),
    "HTTP/1.1 400 Bad Request",
  ],
};

describe.each(["plain", "a member over TLS"] as const)("as %s", (who) => {
  it.each(Object.entries(unusual))("%s gets a response", async (_name, [bytes, statusLine]) => {
    const { text } = await exchange(clients[who](), bytes);
    expect(headOf(text).statusLine).toBe(statusLine);
    expect(faults.splice(0)).toEqual([]);
  });

  it("an invalid request after valid ones closes the connection after their responses", async () => {
    const { text, closed } = await exchange(
      clients[who](),
      get("/status/v1/simple") + get("/..", "Host: x:99999\r\n") + get("/status/v1/simple"),
    );
    expect(closed).toBe(true);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
  });
});

/** What is no handshake, sent to the port of TLS. */
const handshakes: Readonly<Record<string, Buffer>> = {
  "plain HTTP": Buffer.from(get("/status/v1/simple")),
  zeros: Buffer.alloc(100),
  "a hello that is cut off": Buffer.from("1603010200010001fc0303", "hex"),
  "a hello of nonsense": Buffer.concat([Buffer.from("16030100200100001c0303", "hex"), Buffer.alloc(64, 0xff)]),
  "an alert": Buffer.from("15030300020228", "hex"),
  "a hello of SSL 2": Buffer.from("802e0100020015000000100100800300800700c0060040020080040080", "hex"),
};

describe("at the port of TLS", () => {
  it.each(["", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"])(
    "%j from a client that closes its side closes the connection at once",
    async (bytes) => {
      const { hostname, port } = new URL(service.tlsUrl ?? "");
      const target = { url: `http://${hostname}:${port}` };
      // One that goes on waiting is closed when the time limit of handshakes is over.
      let isOver = false;
      const waiting = open(target).once("close", () => (isOver = true));
      await exchange(target, Buffer.from(bytes, "latin1"), { end: true });
      expect(isOver).toBe(false);
      waiting.destroy();
    },
  );

  it.each(Object.entries(handshakes))(
    "%s from a client that leaves does not affect the next client",
    async (_, bytes) => {
      const { hostname, port } = new URL(service.tlsUrl ?? "");
      const socket = open({ url: `http://${hostname}:${port}` });
      await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
      socket.resetAndDestroy();
      const next = await exchange(clients["a member over TLS"](), get("/status/v1/simple", CLOSE));
      expect(headOf(next.text).statusLine).toBe("HTTP/1.1 200 OK");
      expect(faults.splice(0)).toEqual([]);
    },
  );
});

it("refusals are logged, at a limited rate", async () => {
  const log = keptLog();
  const refusing = await startService({ store, plain: { host: "127.0.0.1", port: 0 }, log });
  const url = refusing.plainUrl ?? "";
  for (let sent = 0; sent < 150; sent++) await exchange({ url }, get("/..", "Host: x:99999\r\n"));
  await refusing.close();
  expect(log.warnings).toContain("request from 127.0.0.1 refused: Host is not a valid name and port");
  expect(log.warnings.length).toBeLessThanOrEqual(102);
});
