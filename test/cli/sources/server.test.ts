import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "#test/certificates.ts";
import { a } from "#test/fixture-store.ts";
import { census, startServer, workFolder } from "../census.ts";
import type { Running } from "#test/running.ts";

const folder = workFolder();
const authority = createAuthority("Site CA");
const own = authority.issue({ name: "census.example.com", at: ["localhost", "127.0.0.1"] });
const client = authority.issue({ name: "workstation.example.com" });
const stranger = createAuthority("Other CA").issue({ name: "workstation.example.com" });

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const ca = file("ca.pem", authority.cert);
const identity = [file("cert.pem", own.cert), file("key.pem", own.key)] as const;
const shown = ["--cert", file("me.pem", client.cert), "--key", file("me.key", client.key)];
const strange = ["--cert", file("other.pem", stranger.cert), "--key", file("other.key", stranger.key)];

let server: Running;
let tls: string;

beforeAll(async () => {
  const files = ["--ssl-cert", identity[0], "--ssl-key", identity[1], "--ssl-ca-cert", ca];
  server = await startServer([
    "serve",
    "--memory",
    ...files,
    "--ssl-host",
    "127.0.0.1",
    "--ssl-port",
    "0",
    "--port",
    "0",
  ]);
  tls = / and (https:\S+)/.exec(server.said())?.[1] ?? "";
});
afterAll(async () => server.stop());

describe("a server behind TLS", () => {
  it("is queried with a certificate of its authority", async () => {
    expect(await census(["query", "nodes{}", "--url", tls, "--cacert", ca, ...shown])).toStrictEqual({
      code: 0,
      stdout: "[]\n",
      stderr: "",
    });
  });

  it("is found with the settings of puppetdb_cli, and gets their certificate", async () => {
    const tools = join(folder, ".puppetlabs", "client-tools");
    mkdirSync(tools, { recursive: true });
    const settings = { server_urls: ["https://127.0.0.1:1", tls], cacert: ca, cert: shown[1], key: shown[3] };
    writeFileSync(join(tools, "puppetdb.conf"), JSON.stringify({ puppetdb: settings }));
    const env = { HOME: folder, USERPROFILE: folder };
    expect(await census(["query", "nodes{}"], { env })).toMatchObject({ code: 0, stdout: "[]\n" });
    // The state is requested from the first of its servers.
    expect(await census(["status"], { env })).toMatchObject({ code: 1 });
  });

  it("is copied with a certificate of its authority, and not without one", async () => {
    const query = "?command=replace_facts&version=5&certname=web";
    const body = String(a.facts("web", { producer_timestamp: new Date().toISOString() }).payload);
    const headers = { "content-type": "application/json" };
    const sent = await fetch(`${server.url}/pdb/cmd/v1${query}`, { method: "POST", body, headers });
    expect(await sent.text()).toContain("uuid");
    const stored = async (): Promise<string> => (await fetch(`${server.url}/pdb/query/v4/nodes`)).text();
    await expect.poll(stored).toContain("web");
    const data = ["--data", join(folder, "copy")];
    expect(await census(["import", tls, ...data, "--cacert", ca, ...shown])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Copied 1 fact sets, 0 catalogs, 0 reports from 127\.0\.0\.1 /) as unknown,
    });
    expect(await census(["import", tls, ...data, "--cacert", ca])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/certificate; .*--cert/) as unknown,
    });
  });

  it.each<[what: string, words: () => string[], line: RegExp]>([
    [
      "its authority",
      () => ["--url", tls],
      /the server certificate is signed by an unknown CA; name the CA with --cacert$/,
    ],
    [
      "a certificate",
      () => ["--url", tls, "--cacert", ca],
      /the server requires a client certificate; use --cert and --key$/,
    ],
    [
      "a certificate of the right authority",
      () => ["--url", tls, "--cacert", ca, ...strange],
      /client certificate \(CN=workstation\.example\.com, issued by CN=Other CA\): it is not signed by the CA in --cacert$/,
    ],
    [
      "the key of its certificate",
      () => ["--url", tls, "--cacert", ca, ...shown.slice(0, 2), ...strange.slice(2)],
      /: the key is not that of the client certificate; check --cert and --key, or cert and key of the client configuration$/,
    ],
    [
      "TLS",
      () => ["--url", tls.replace("https", "http")],
      /: connection reset; if the server uses TLS on this port, type https:\/\/$/,
    ],
    [
      "plain HTTP",
      () => ["--url", server.url.replace("http", "https")],
      /the server does not use TLS on this port; did you mean http:\/\/\?$/,
    ],
  ])("causes an error that names the remedy without %s", async (_what, words, line) => {
    const { code, stdout, stderr } = await census(["query", "nodes{}", ...words()]);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^census: [^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(line);
  });
});

it("a command queries the next server if one cannot be reached, and never shows the token", async () => {
  const requests: IncomingMessage[] = [];
  const plain = createServer((request, response) => {
    requests.push(request);
    response.end("[]");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => plain.once("listening", resolve));
  const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/db/`;
  const token = file("token", "secret\n");
  const run = await census(["query", "nodes{}", "--urls", `http://127.0.0.1:1,${url}`, "--token", token]);
  plain.close();
  expect(run).toStrictEqual({ code: 0, stdout: "[]\n", stderr: "" });
  expect(requests.map(({ url: path }) => path)).toStrictEqual(["/db/pdb/query/v4?query=nodes%7B%7D"]);
  expect(requests[0]?.headers).not.toHaveProperty("x-authentication");
});

it("a server without the explorer is named where it is needed, as PuppetDB, which repeats the address", async () => {
  const plain = createServer((request, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: "Not Found", url: request.url?.replace(/\?.*/, ""), status: "404" }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => plain.once("listening", resolve));
  const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;
  const run = await census(["issues", "--url", url]);
  plain.close();
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(run.stderr).toMatch(/has no explorer: it is PuppetDB/);
});

it("announces what people type to sign in", async () => {
  const people = ["--people-port", "0", "--people-cert", identity[0], "--people-key", identity[1]];
  const files = ["--access-file", file("access.json", "{}"), "--people-url", "https://localhost:8443"];
  const announcing = await startServer(["serve", "--memory", "--port", "0", ...people, ...files]);
  expect(announcing.said()).toMatch(/^People sign in at https:\/\/localhost:8443\/explorer\/$/m);
  expect(await announcing.stop()).toBe(0);
});
