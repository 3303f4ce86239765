import type { Random } from "#fixtures/random.ts";
import type { RawAttack } from "../attack.ts";
import { characters, noise, word } from "./words.ts";

const targets = [
  "/",
  "/..",
  "/%41",
  "/?'",
  "*",
  "",
  "//",
  "///x",
  "/\\",
  "http://127.0.0.1/pdb/meta/v1/version",
  "http://evil.example.com/pdb/query/v4/nodes",
  "http://[::",
  "https://x:99999/",
  "ftp://x/",
  "/pdb/query/v4/nodes",
  "/pdb/query/v4?query=[",
  "/pdb/query/v4?query=%00",
  "/pdb/cmd/v1",
  "/pdb/cmd/v1?command=replace_facts&version=5&certname=hostile-0.example.com",
  "/status/v1/simple",
  "/metrics/v2/read/x:y=z",
  "/pdb/admin/v1/archive",
  "/a#b",
  "/a b",
  "/\x7f",
  "/\xff\xfe",
  "/%zz",
  "localhost:8080",
] as const;

const hosts = [
  "localhost",
  "x:99999",
  "1.2.3.4.5",
  "[::1",
  "",
  "a b",
  "x:y",
  "127.0.0.1:65536",
  "[::1]:x",
  "%zz",
  "\xff",
  "localhost\0",
  "a".repeat(5000),
] as const;

const methods = [
  "GET",
  "POST",
  "HEAD",
  "OPTIONS",
  "CONNECT",
  "PRI",
  "TRACE",
  "get",
  "G\0T",
  "M-SEARCH",
  "",
  "X".repeat(100),
] as const;

const lines = [
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding : chunked",
  "transfer-encoding:\tchunked",
  "Transfer-Encoding: gzip, chunked",
  "Content-Length: 5",
  "Content-Length: 0",
  "Content-Length: -1",
  "Content-Length: 5, 6",
  "Content-Length: 99999999999999999999",
  "Content-Length: 0x5",
  "Content-Length: +5",
  "Content-Length:",
  "Connection: upgrade",
  "Connection: close",
  "Connection: keep-alive, upgrade",
  "Upgrade: websocket",
  "Upgrade: h2c",
  "HTTP2-Settings: AAMAAABkAAQAAP__",
  "Expect: 100-continue",
  "Expect: 200-nothing",
  " folded: line",
  ": no name",
  "No colon",
  "X: \0",
  "X: \xff\xfe",
  "Sec-WebSocket-Key: x",
  "Content-Encoding: gzip",
  "Content-Type: application/json",
  "Content-Type: multipart/form-data; boundary=b",
  "Accept: \u0000",
  "Trailer: X",
  "TE: trailers",
] as const;

const bodies = [
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "5\r\nhel",
  "FFFFFFFFFFFFFFFF\r\nx",
  "-1\r\nx\r\n",
  "5;ext=1\r\nhello\r\n0\r\nTrailer: x\r\n\r\n",
  "5\nhello\n0\n\n",
  "0\r\n\r\nGET /status/v1/simple HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "GET /pdb/query/v4/nodes HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "{}",
  "--b\r\n\r\n",
] as const;

function head(random: Random): string {
  const version = random.weighted([
    ["HTTP/1.1", 20],
    ["HTTP/1.0", 3],
    ["HTTP/0.9", 1],
    ["HTTP/2.0", 1],
    ["HTTP/9.9", 1],
    ["http/1.1", 1],
    ["", 1],
  ]);
  const target = random.chance(0.9) ? random.pick(targets) : `/${characters(random, 20)}`;
  const method = random.chance(0.75) ? random.pick(["GET", "POST"]) : random.pick(methods);
  const host = random.weighted([
    [["Host: localhost"], 6],
    [[`Host: ${random.pick(hosts)}`], 5],
    [[], 1],
    [["Host: a", "Host: b"], 1],
  ]);
  const others = random.sample(lines, random.integer(0, 4));
  if (random.chance(0.03)) others.push(`X: ${"a".repeat(random.integer(1000, 100_000))}` as never);
  if (random.chance(0.03)) others.push(...(Array.from({ length: 3000 }, (_, n) => `X${n}: y`) as never[]));
  const end = random.chance(0.95) ? "\r\n" : random.pick(["\n", "\r", "\r\r\n"]);
  return [`${method} ${target} ${version}`, ...host, ...others, "", ""].join(end);
}

const openings = [
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
  "\x80\x2e\x01\0\x02\0\x15",
  "GET /\r\n",
  "GET",
  "\r\n\r\n\r\n",
  "\0",
  "EHLO x\r\n",
  "SSH-2.0-x\r\n",
] as const;

/** What is sent on a socket that speaks plain HTTP. */
export function raw(random: Random): RawAttack {
  return { transport: "raw", kind: "raw", route: "socket", ...sent(random) };
}

/** The same within TLS, with and without a certificate, and bytes that are no handshake. */
export function tls(random: Random): RawAttack {
  const handshake = random.pick(["certificate", "certificate", "anonymous", "none"] as const);
  return { transport: "tls", kind: "tls", route: `socket ${handshake}`, handshake, ...sent(random) };
}

function sent(random: Random): Pick<RawAttack, "pieces" | "pause" | "ending"> {
  const form = random.integer(0, 9);
  const text =
    form < 6
      ? head(random) + random.pick(bodies)
      : form < 8
        ? Array.from({ length: random.integer(2, 12) }, () => head(random) + random.pick(bodies)).join("")
        : form < 9
          ? random.pick(openings) + word(random)
          : "";
  const bytes = text === "" ? noise(random, random.integer(0, 400)) : Buffer.from(text, "latin1");
  const cut = random.chance(0.2) ? bytes.subarray(0, random.integer(0, bytes.length)) : bytes;
  const isSlow = random.chance(0.1);
  const at = random.integer(0, cut.length);
  return {
    pieces: isSlow ? [cut.subarray(0, at), cut.subarray(at)] : [cut],
    pause: isSlow ? random.integer(1, 100) : 0,
    ending: random.pick(["wait", "half-close", "half-close", "cut"]),
  };
}
