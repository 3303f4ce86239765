import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, fieldOf } from "#test/fixture-store.ts";
import { serve, type Served } from "../fixture-service.ts";

const bounds = { unpackedBytes: 200_000, partBytes: 50_000, factsetValues: 1000, values: 20_000, depth: 50 };

let store: Store;
let service: Served;
const discarded: string[] = [];

beforeAll(async () => {
  const onCommand: Parameters<typeof emptyStore>[0] = {
    bounds,
    onCommand: (event) => {
      if (event.kind === "discarded") discarded.push(event.error.message);
    },
  };
  store = await emptyStore(onCommand);
  service = await serve(store);
});
afterAll(() => service.close());

const facts = (certname: string, values: Record<string, Json>): string => a.facts(certname, { values }).payload;

/** Posts a payload as it is; status and text of the answer. */
async function post(
  certname: string,
  body: string | Buffer,
  more = "",
  command = "replace_facts&version=5",
): Promise<[status: number, text: string]> {
  const headers = {
    "content-type": "application/json",
    ...(typeof body === "string" ? {} : { "content-encoding": "gzip" }),
  };
  const path = `/pdb/cmd/v1?command=${command}&certname=${certname}${more}`;
  return new Promise((resolve, reject) => {
    request(`${service.url}${path}`, { method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.once("end", () => resolve([response.statusCode ?? 0, text]));
    })
      .once("error", reject)
      .end(body);
  });
}

const waited = "&secondsToWaitForCompletion=60";
const numbers = (count: number): number[] => Array.from({ length: count }, () => 1);
const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)]);
/** Random data, which does not compress. */
const large = (length: number): string => Array.from({ length }, (_, at) => ((at * 7919) % 36).toString(36)).join("");

describe("a command that exceeds a bound", () => {
  it.each<[what: string, values: Record<string, Json>, status: number, message: string]>([
    ["values", { many: numbers(2000) }, 413, "the payload has more than 1000 values (max-factset-values)"],
    [
      "the size of a part",
      { small: 1, big: large(60_000) },
      413,
      "values.big is larger than 50000 bytes (max-command-part-size)",
    ],
    ["the depth", { deep: nested(60) }, 400, "values.deep is nested deeper than 50 levels (max-command-depth)"],
    [
      "the depth beside a long text",
      { deep: nested(60), text: large(3000) },
      400,
      "values.deep is nested deeper than 50 levels (max-command-depth)",
    ],
  ])("is refused for %s, packed or not", async (_what, values, status, message) => {
    const payload = facts("web-01", values);
    const expected = [status, `replace facts v5 of web-01: ${message}`];
    expect(await post("web-01", payload)).toEqual(expected);
    expect(await post("web-01", gzipSync(payload))).toEqual(expected);
    expect(await fieldOf(store, "nodes", "certname", ["=", "certname", "web-01"])).toEqual([]);
  });

  it("is refused for its size, packed or not", async () => {
    const payload = facts("web-01", Object.fromEntries(numbers(9).map((_, at) => [at, large(40_000)])));
    expect(await post("web-01", payload)).toEqual([413, "Command size exceeds max-command-unpacked-size"]);
    expect(await post("web-01", gzipSync(payload))).toEqual([
      413,
      "replace facts v5 of web-01: the payload is larger than 200000 bytes (max-command-unpacked-size)",
    ]);
  });

  it("is refused though its last gzip member says that it is small", async () => {
    const payload = facts("web-01", { many: numbers(2000) });
    const half = payload.length >> 1;
    const body = Buffer.concat([gzipSync(payload), gzipSync("")]);
    expect((await post("web-01", body))[0]).toBe(413);
    // Two members are a payload like any other.
    const small = facts("two-members", { a: 1 });
    const parts = [gzipSync(small.slice(0, half % 50)), gzipSync(small.slice(half % 50))];
    expect((await post("two-members", Buffer.concat(parts), waited))[0]).toBe(200);
    expect(await fieldOf(store, "nodes", "certname", ["=", "certname", "two-members"])).toEqual(["two-members"]);
  });

  it("becomes a dead letter if it declares a smaller size than it has", async () => {
    const body = gzipSync(facts("liar", { many: numbers(2000) }));
    body.writeUInt32LE(300, body.length - 4);
    expect((await post("liar", body))[0]).toBe(200);
    await expect
      .poll(() => discarded)
      .toContainEqual(expect.stringMatching(/^replace facts v5 of liar: the payload is not gzip/));
  });

  it("does not delay later commands", async () => {
    expect((await post("behind", facts("behind", { many: numbers(900) }), waited))[0]).toBe(200);
    expect(await fieldOf(store, "nodes", "certname", ["=", "certname", "behind"])).toEqual(["behind"]);
  });

  // As from an archive, or from the queue of an older version.
  it.each([
    ["values", { many: numbers(2000) }, /the payload has more than 1000 values/],
    ["the size of a part", { big: large(60_000) }, /values\.big is larger than 50000 bytes/],
  ])("becomes a dead letter for %s if it was not checked on arrival", async (_what, values, message) => {
    await expect(store.submit(a.facts("unchecked", { values }))).rejects.toThrow(message);
  });
});

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

const text = (json: string): string => JSON.stringify(json);
const spelled = (json: string): string => `"${json.replaceAll("[", String.raw`\u005b`)}"`;

describe("a command that is nested too deep", () => {
  it.each([
    ["as a fact", (value: string) => facts("deep", { a: 0 }).replace('"a":0', `"a":${value}`)],
    ["as the whole payload", (value: string) => value],
    [
      "beside a number that is kept as it is",
      (value: string) => facts("deep", { a: 0 }).replace('"a":0', `"a":1.0,"b":${value}`),
    ],
  ])("can never be stored, %s", async (_what, payloadOf) => {
    const submission = { ...a.facts("deep"), payload: payloadOf(deep(40_000)) };
    await expect(store.submit(submission)).rejects.toMatchObject({ code: "bad-input" });
  });

  it.each<[what: string, command: string, body: string, place: string]>([
    ["facts", "replace_facts&version=5", `{"values":{"l":${deep(400)}}}`, "replace facts v5 of deep: values.l"],
    ["old facts", "replace_facts&version=4", `{"values":{"l":${deep(60)}}}`, "replace facts v4 of deep: values.l"],
    [
      "a catalog",
      "replace_catalog&version=9",
      `{"resources":[{},${deep(60)}]}`,
      "replace catalog v9 of deep: resources[1]",
    ],
    [
      "a catalog in a text",
      "replace_catalog&version=9",
      text(`{"edges":${deep(60)}}`),
      "replace catalog v9 of deep: edges[0]",
    ],
    [
      "brackets that are escaped in a text",
      "replace_catalog&version=9",
      spelled(deep(60)),
      "replace catalog v9 of deep: the payload",
    ],
    [
      "a text after spaces",
      "replace_catalog&version=9",
      ` \n${text(deep(60))}`,
      "replace catalog v9 of deep: the payload",
    ],
    ["a report", "store_report&version=8", `{"logs":${deep(60)}}`, "store report v8 of deep: logs[0]"],
    [
      "catalog inputs",
      "replace_catalog_inputs&version=1",
      `{"inputs":${deep(60)}}`,
      "replace catalog inputs v1 of deep: inputs[0]",
    ],
    [
      "an expiration",
      "configure_expiration&version=1",
      `{"expire":${deep(60)}}`,
      "configure expiration v1 of deep: expire[0]",
    ],
    ["a deactivation", "deactivate_node&version=3", deep(60), "deactivate node v3 of deep: the payload"],
    [
      "a deactivation in a text",
      "deactivate_node&version=3",
      text(deep(60)),
      "deactivate node v3 of deep: the payload",
    ],
    [
      "objects",
      "replace_facts&version=5",
      `{"a":"[]","b":${'{"c":'.repeat(60)}1${"}".repeat(60)}}`,
      "replace facts v5 of deep: b.c",
    ],
  ])("is refused before it is acknowledged, packed or not: %s", async (_what, command, body, place) => {
    const refused = [400, `${place} is nested deeper than 50 levels (max-command-depth)`];
    expect(await post("deep", body, "", command)).toEqual(refused);
    expect(await post("deep", gzipSync(body), "", command)).toEqual(refused);
  });

  it("is accepted with as many levels as the bound, and with any number of brackets in texts", async () => {
    const values = { deep: nested(48), text: "[".repeat(60), objects: numbers(100).map(() => ({})) };
    expect((await post("level", facts("level", values), waited))[0]).toBe(200);
    expect((await post("packed", gzipSync(facts("packed", values)), waited))[0]).toBe(200);
    expect(await fieldOf(store, "nodes", "certname", ["in", "certname", ["array", ["level", "packed"]]])).toHaveLength(
      2,
    );
  });

  it("is refused in the deprecated form, wherever it is nested", async () => {
    const bodies = [
      `{"command":"replace facts","version":5,"payload":{"certname":"deep","values":${deep(20_000)}}}`,
      `{"command":"replace facts","version":5,"payload":{"certname":${deep(20_000)}}}`,
    ];
    for (const body of bodies) {
      const answer = await service.send("POST", "/pdb/cmd/v1", body, { "content-type": "application/json" });
      expect(answer).toMatchObject({
        status: 400,
        text: "Command is nested deeper than 50 levels (max-command-depth)",
      });
    }
    expect(service.faults).toEqual([]);
  });
});
