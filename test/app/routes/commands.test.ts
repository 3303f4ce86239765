import { gzipSync } from "node:zlib";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, fieldOf } from "#test/fixture-store.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";

let store: Store;
let service: Served;
const failures: string[] = [];

beforeAll(async () => {
  store = await emptyStore({
    onCommand: (event) => {
      if (event.kind === "discarded")
        failures.push(`${event.entry.command} ${event.entry.certname}: ${String(event.error)}`);
    },
  });
  service = await serve(store);
});
afterAll(() => service.close());

const post = (search: string, body = "{}", headers: Record<string, string> = {}): ReturnType<Served["send"]> =>
  service.send("POST", `/pdb/cmd/v1${search}`, body, { "content-type": "application/json", ...headers });

const facts = (certname: string): string => a.facts(certname).payload;
const envelope = (certname: string, more = ""): string =>
  `?command=replace_facts&version=5&certname=${certname}${more}`;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("an accepted command (reference/commands.md §1.6)", () => {
  it("gets a response with an indented uuid", async () => {
    const answer = await post(envelope("plain"), facts("plain"));
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json;charset=utf-8" } });
    expect(answer.text).toMatch(/^\{\n {2}"uuid" : "[^"]+"\n\}$/);
    expect((JSON.parse(answer.text) as { uuid: string }).uuid).toMatch(uuid);
  });

  it("is stored when the client waits for it", async () => {
    const answer = await post(envelope("waited", "&secondsToWaitForCompletion=30"), facts("waited"));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ uuid: expect.stringMatching(uuid), processed: true, timed_out: false });
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(["uuid", "processed", "timed_out"]);
    expect(await fieldOf(store, "facts", "certname", ["=", "certname", "waited"])).toEqual(["waited"]);
  });

  it.each<[what: string, search: string]>([
    ["spaces in its name", "?command=replace%20facts&version=5&certname=spaces"],
    ["pluses in its name", "?command=replace+facts&version=5&certname=spaces"],
    ["zeros in its version", "?command=replace_facts&version=%2B005&certname=spaces"],
    ["a producer-timestamp that is none", "?command=replace_facts&version=5&certname=spaces&producer-timestamp=junk"],
    ["a checksum", "?command=replace_facts&version=5&certname=spaces&checksum=abc"],
    ["another certname in its payload", "?command=replace_facts&version=5&certname=other"],
  ])("may have %s", async (_what, search) => {
    const answer = await post(`${search}&secondsToWaitForCompletion=30`, facts("spaces"));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.text).toContain('"processed" : true');
    expect(await fieldOf(store, "nodes", "certname", ["=", "certname", "spaces"])).toEqual(["spaces"]);
    expect(await fieldOf(store, "nodes", "certname", ["=", "certname", "other"])).toEqual([]);
  });

  it("may be gzipped", async () => {
    const body = gzipSync(facts("zipped"));
    const status = await new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      const url = `${service.url}/pdb/cmd/v1${envelope("zipped", "&secondsToWaitForCompletion=30")}`;
      request(url, { method: "POST", headers }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode));
      })
        .once("error", reject)
        .end(body);
    });
    expect(status).toBe(200);
    expect(await fieldOf(store, "nodes", "certname", ["=", "certname", "zipped"])).toEqual(["zipped"]);
  });

  it("may come by another method", async () => {
    const search = envelope("put", "&secondsToWaitForCompletion=30");
    const answer = await service.send("PUT", `/pdb/cmd/v1${search}`, facts("put"), {
      "content-type": "application/json",
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(await fieldOf(store, "nodes", "certname", ["=", "certname", "put"])).toEqual(["put"]);
  });
});

describe("a command that cannot be stored", () => {
  it("is accepted, and reported to the listener", async () => {
    const before = failures.length;
    expect(await post(envelope("broken"), "{")).toMatchObject({ status: 200 });
    // A command that is waited for comes after it.
    await post(envelope("after", "&secondsToWaitForCompletion=30"), facts("after"));
    expect(failures.slice(before)).toEqual([expect.stringMatching(/^replace facts broken: .*the payload is not JSON/)]);
  });

  // PuppetDB returns the same response when the timeout is over; here it is returned at once.
  it.each<[what: string, search: string, body: string]>([
    ["an invalid payload", envelope("broken"), '{"certname":5}'],
    ["a payload that is not JSON", envelope("broken"), "not json"],
    ["an unknown version of a catalog", "?command=replace_catalog&version=99&certname=broken", "{}"],
    ["a wrong content coding", envelope("unzipped"), "no gzip"],
  ])("is not an error for a client that waits: %s", async (what, search, body) => {
    const headers = what.includes("coding") ? { "content-encoding": "gzip" } : {};
    const answer = await post(`${search}&secondsToWaitForCompletion=30`, body, headers);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text)).toEqual({ uuid: expect.stringMatching(uuid), processed: false, timed_out: true });
  });

  it("is an error for a client that waits, if its version is unknown", async () => {
    const answer = await post("?command=replace_facts&version=99&certname=future&secondsToWaitForCompletion=30");
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text)).toMatchObject({
      processed: true,
      timed_out: false,
      error: "Unsupported command replace facts version 99",
      stack_trace: [],
    });
  });

  it("is accepted if its version is too new", async () => {
    const answer = await post("?command=replace_facts&version=99&certname=future");
    expect(answer).toMatchObject({ status: 200 });
  });
});

const prefix = (command: string, certname: string): string =>
  `Command ${command} for certname ${certname} is invalid. `;
const facts4 = prefix('"replace facts"', '"x"');

describe("an invalid envelope (reference/commands.md §1.4)", () => {
  const names =
    "configure expiration, deactivate node, replace catalog, replace catalog inputs, replace facts, store report";

  it.each<[search: string, error: string]>([
    [
      "",
      `${prefix("nil", "nil")}Command was submitted without query parameters (old format). The request body must be a JSON map with required keys: command, version, payload.`,
    ],
    [
      "?command=replace_facts&version=5",
      `${prefix('"replace facts"', "nil")}Command is missing required parameters: certname.`,
    ],
    ["?command=replace_facts&version=5&certname=x&bogus=1", `${facts4}Command has invalid parameters: bogus.`],
    [
      "?command=replace_facts&version=5&certname=%20",
      `${prefix('"replace facts"', '" "')}Certname must be a non-empty string.`,
    ],
    [
      "?command=replace_facts&version=5&certname=",
      `${prefix('"replace facts"', '""')}Certname must be a non-empty string.`,
    ],
    ["?command=bogus&version=5&certname=x", `${prefix('"bogus"', '"x"')}Command must be one of: ${names}.`],
    [
      "?command=Replace_Facts&version=5&certname=x",
      `${prefix('"Replace Facts"', '"x"')}Command must be one of: ${names}.`,
    ],
    ["?command=replace_facts&certname=x", `${facts4}Version must be a valid integer.`],
    ["?command=replace_facts&version=x&certname=x", `${facts4}Version must be a valid integer.`],
    ["?command=replace_facts&version=5.0&certname=x", `${facts4}Version must be a valid integer.`],
    ["?command=replace_facts&version=99999999999&certname=x", `${facts4}Version must be a valid integer.`],
    [
      "?command=replace_facts&version=3&certname=x",
      `${facts4}Version 3 of command "replace facts" is retired. The minimum supported version is 4.`,
    ],
    [
      "?command=replace_catalog&version=5&certname=x",
      `${prefix('"replace catalog"', '"x"')}Version 5 of command "replace catalog" is retired. The minimum supported version is 6.`,
    ],
    [
      "?command=store_report&version=4&certname=x",
      `${prefix('"store report"', '"x"')}Version 4 of command "store report" is retired. The minimum supported version is 5.`,
    ],
    [
      "?command=deactivate_node&version=2&certname=x",
      `${prefix('"deactivate node"', '"x"')}Version 2 of command "deactivate node" is retired. The minimum supported version is 3.`,
    ],
    [
      "?command=replace_catalog_inputs&version=0&certname=x",
      `${prefix('"replace catalog inputs"', '"x"')}Version 0 of command "replace catalog inputs" is retired. The minimum supported version is 1.`,
    ],
    [
      "?command=a%22b%5C&version=1&certname=x",
      `${prefix(String.raw`"a\"b\\"`, '"x"')}Command must be one of: ${names}.`,
    ],
  ])("%s", async (search, error) => {
    const answer = await post(search);
    expect(answer).toMatchObject({ status: 400, headers: { "content-type": "application/json;charset=utf-8" } });
    expect(answer.text).toBe(`{\n  "error" : ${JSON.stringify(error)}\n}`);
  });

  it("is checked for a GET as well", async () => {
    expect(await service.get("/pdb/cmd/v1?command=bogus&version=1&certname=x")).toMatchObject({
      status: 400,
      text: expect.stringContaining("bogus"),
    });
  });
});

describe("the headers of a command (reference/commands.md §1.2)", () => {
  it.each<[headers: Record<string, string>, status: number, text: string]>([
    [{ "content-encoding": "br" }, 415, "content encoding br not supported"],
    [
      { "content-type": "text/plain" },
      415,
      '{"kind":"unsupported-type","msg":"content-type text/plain is not a supported type for request of type :post at /pdb/cmd/v1"}',
    ],
    [{ accept: "text/html" }, 406, '{"kind":"not-acceptable","msg":"accept header must include application/json"}'],
    [
      { accept: "application/json;q=0.9" },
      406,
      '{"kind":"not-acceptable","msg":"accept header must include application/json"}',
    ],
    // the coding is looked at first, the envelope last
    [{ "content-encoding": "br", "content-type": "text/plain" }, 415, "content encoding br not supported"],
  ])("%j: %i", async (headers, status, text) => {
    for (const search of [envelope("x"), ""]) {
      expect(await post(search, "{}", headers)).toMatchObject({ status, text });
    }
  });
});

const old = (changes: object): ReturnType<typeof post> =>
  post(
    "",
    JSON.stringify({ command: "replace facts", version: 5, payload: JSON.parse(facts("old")) as object, ...changes }),
  );

describe("the deprecated form, all in the body (reference/commands.md §1.3)", () => {
  const required =
    "Command was submitted without query parameters (old format). The request body must be a JSON map with required keys: command, version, payload.";

  it("is accepted and stored", async () => {
    const answer = await old({ secondsToWaitForCompletion: "30" });
    expect(JSON.parse(answer.text)).toEqual({ uuid: expect.stringMatching(uuid), processed: true, timed_out: false });
    expect(await fieldOf(store, "facts", "certname", ["=", "certname", "old"])).toEqual(["old"]);
  });

  it("uses the certname of the payload, not one next to it", async () => {
    expect(await old({ certname: "another" })).toMatchObject({ status: 200 });
  });

  it.each<[body: string, error: string]>([
    ["[]", `${prefix("nil", "nil")}${required}`],
    ["not json", `${prefix("nil", "nil")}${required}`],
    ['{"command":"replace facts","version":5}', `${prefix('"replace facts"', "nil")}${required}`],
    ['{"command":"replace facts","version":5,"payload":false}', `${prefix('"replace facts"', "nil")}${required}`],
    [
      '{"command":"replace facts","version":5,"payload":"x"}',
      `${prefix('"replace facts"', "nil")}Command was submitted without query parameters (old format). The payload value must be a JSON map.`,
    ],
    ['{"command":"replace_facts","version":5,"payload":{"certname":"x"}}', "Command must be one of"],
    ['{"command":"replace facts","version":"5","payload":{"certname":"x"}}', "Version must be a valid integer."],
    ['{"command":"replace facts","version":3,"payload":{"certname":"x"}}', "Version 3 of command"],
    ['{"command":"replace facts","version":5,"payload":{}}', "Command is missing required parameters: certname."],
    ['{"command":"replace facts","version":5,"api":1,"payload":{"certname":"x"}}', "invalid parameters: api."],
  ])("%s is refused", async (body, error) => {
    const answer = await post("", body);
    expect(answer.status).toBe(400);
    expect((JSON.parse(answer.text) as { error: string }).error).toContain(error);
  });
});

/** How many commands have been answered with a 400. */
async function refusals(): Promise<number> {
  const { text } = await service.get("/metrics/v2/read/svc.http:name=!/pdb!/cmd!/v1.400/Count");
  return (JSON.parse(text) as { value: number }).value;
}

describe("the path of commands, which bypasses the framework", () => {
  it("has the same access rules as every other", async () => {
    const foreign = { host: "elsewhere.example.com" };
    const refused = await post(envelope("guarded"), facts("guarded"), foreign);
    const another = await service.send("POST", "/pdb/cmd/v2", "{}", foreign);
    expect(another.status).toBe(403);
    expect(refused).toMatchObject({ status: 403, text: another.text });
    expect(refused.headers["content-type"]).toBe(another.headers["content-type"]);
    expect(await fieldOf(store, "facts", "certname", ["=", "certname", "guarded"])).toEqual([]);
  });

  it("works after a client that closes the connection in the middle of a command", async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `POST /pdb/cmd/v1${envelope("gone")} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 100\r\n\r\n{`,
    );
    await once(socket, "connect");
    await service.get("/pdb/meta/v1/version");
    socket.destroy();
    await once(socket, "close");
    expect((await post(envelope("stays"), facts("stays"))).status).toBe(200);
  });

  it("is counted in metrics like every other", async () => {
    await post("?command=unknown&version=1&certname=counted");
    const before = await refusals();
    for (let time = 0; time < 3; time++) await post("?command=unknown&version=1&certname=counted");
    expect(await refusals()).toBe(before + 3);
  });
});

describe("after all these requests", () => {
  it("no defect was reported", () => {
    expect(service.faults).toEqual([]);
  });
});
