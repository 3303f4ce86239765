import { join } from "node:path";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, parseJson, stringifyJson } from "#storage/json.ts";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import type { Store } from "#storage/store.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { queryRows, emptyStore, everyRow } from "#test/fixture-store.ts";
import { catalog, facts, fileResource, inputs, report, reportResource } from "#test/storage/wire/payloads.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: Store;
let service: Served;
let office: DeadLetters;
/** What has happened to commands. */
const kinds = new Set<string>();

beforeAll(async () => {
  folder = await temporaryFolder();
  store = await emptyStore({
    directory: folder.path,
    onCommand: ({ kind }) => {
      kinds.add(kind);
    },
  });
  service = await serve(store);
  office = new DeadLetters(join(folder.path, "queue"));
});
afterAll(async () => {
  await service.close();
  await folder[Symbol.asyncDispose]();
});

/** A payload as it goes over the wire: as JSON, or byte for byte. */
type Payload = Json | Uint8Array;

interface Sent {
  readonly status: number | undefined;
  readonly answer: Record<string, unknown>;
}

/** Submits a command and waits until it has been tried. */
async function submit(
  command: CommandName,
  version: number,
  certname: string,
  payload: Payload,
  encoding = "identity",
): Promise<Sent> {
  const search = `command=${command.replaceAll(" ", "_")}&version=${version}&certname=${certname}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-encoding": encoding };
    request(`${service.url}/pdb/cmd/v1?${search}&secondsToWaitForCompletion=60`, { method: "POST", headers }, resolve)
      .once("error", reject)
      .end(payload instanceof Uint8Array ? payload : stringifyJson(payload));
  });
  const { uuid: _, ...answer } = JSON.parse(await text(response)) as Record<string, unknown>;
  return { status: response.statusCode, answer };
}

const done = { status: 200, answer: { processed: true, timed_out: false } };
/** A client that waits gets no error for a command that cannot be stored (reference/commands.md §1.6). */
const notProcessed = { status: 503, answer: { processed: false, timed_out: true } };

/** The diagnosis of the one letter about a node, without its heading. */
async function diagnosisOf(certname: string): Promise<string> {
  const letters = (await office.list()).filter((letter) => letter.certname === certname);
  expect(letters).toHaveLength(1);
  const { diagnosis } = await office.read(letters[0]?.name ?? "");
  return diagnosis.replace(/^Attempt 1 @ \S+\n/, "").trimEnd();
}

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const bytes = (content: string): Uint8Array => Buffer.from(content);

describe("an invalid command becomes a dead letter whose diagnosis names the place", () => {
  // What else is refused, and how the place is named: test/storage/wire/refusals.test.ts.
  const table: [what: string, command: CommandName, version: number, payload: Payload, diagnosis: string | RegExp][] = [
    ["nothing at all", "replace facts", 5, bytes(""), "payload: expected an object, found null"],
    ["no JSON", "replace facts", 5, bytes("facts, please"), /: the payload is not JSON: /],
    ["JSON cut short", "replace facts", 5, bytes('{"certname": "x", "val'), /: the payload is not JSON: /],
    ["a list", "replace facts", 5, [], "payload: expected an object, found a list"],
    [
      "a field too many, deep inside",
      "store report",
      8,
      report({ certname: "x", resources: [reportResource({ colour: "red" })] }),
      "resources[0].colour: unknown key",
    ],
    [
      "an unknown version of a catalog",
      "replace catalog",
      99,
      catalog(),
      "Unsupported command replace catalog version 99",
    ],
    [
      "one resource twice",
      "replace catalog",
      9,
      catalog({ certname: "x", resources: [fileResource(), fileResource()], edges: [] }),
      /^resources\[1\].*File\[\/tmp\/x\]/,
    ],
    ["inputs that are no pairs", "replace catalog inputs", 1, inputs({ inputs: [["hiera"]] }), /^inputs\[0\]/],
    ["an expiration of nothing", "configure expiration", 1, { certname: "x" }, "expire: missing"],
    ["a deactivation without a node", "deactivate node", 3, {}, "certname: missing"],
  ];

  it.each(table)("%s", async (what, command, version, payload, diagnosis) => {
    const certname = `bad-${table.findIndex(([name]) => name === what)}`;
    expect(await submit(command, version, certname, payload)).toEqual(notProcessed);
    const problem = (await diagnosisOf(certname)).replace(/^[a-z ]+ v\d+(?: of [^:]+)?: (?!the payload)/, "");
    expect([problem]).toEqual([typeof diagnosis === "string" ? diagnosis : matching(diagnosis)]);
  });

  it.each<[what: string, content: Uint8Array]>([
    ["no gzip data", bytes("{}")],
    ["gzip data cut short", gzipSync(stringifyJson(facts())).subarray(0, 40)],
    ["gzip data of no JSON", gzipSync("facts, please")],
  ])("%s, declared as gzip", async (what, content) => {
    const certname = what.replaceAll(" ", "-");
    expect(await submit("replace facts", 5, certname, content, "gzip")).toEqual(notProcessed);
    expect(await diagnosisOf(certname)).toMatch(/: the payload is not (?:gzip data, as its encoding says|JSON): /);
  });

  it("an unknown version of a report, which the response names", async () => {
    const error = "Unsupported command store report version 99";
    expect(await submit("store report", 99, "future", report())).toEqual({
      status: 503,
      answer: { processed: true, timed_out: false, error, stack_trace: [] },
    });
    expect(await diagnosisOf("future")).toBe(error);
  });
});

/** One field of the rows about a node. */
async function stored(entity: string, certname: string, field: string, more?: Json): Promise<Json[]> {
  const own: Json = ["=", "certname", certname];
  const query: Json = ["extract", field, more === undefined ? own : ["and", own, more]];
  const rows = (await queryRows(store, { of: everyRow(entity), query })) as Record<string, Json>[];
  return rows.map((row) => row[field] ?? null);
}

/** Facts of a node of this name, one of them called `it`. */
const factsWith = (certname: string, value: string): Uint8Array =>
  bytes(stringifyJson(facts({ certname, values: { it: "?" } })).replace('"?"', () => value));

const at = (producer_timestamp: string, turn: number): Json =>
  facts({ certname: "future-clock", producer_timestamp, values: { turn } });

describe("an unusual but valid command is stored", () => {
  // reference/commands.md §2.5: JSON reading rules
  it.each<[name: string, value: string, kept: Json]>([
    ["beyond-53-bits", "9007199254740993", parseJson("9007199254740993")],
    ["beyond-64-bits", "123456789012345678901234567890", parseJson("123456789012345678901234567890")],
    ["a-float-that-is-whole", "1.0", parseJson("1.0")],
    ["nul", String.raw`"a\u0000b"`, "a\u{fffd}b"],
    ["half-a-pair", String.raw`"a\ud800b"`, "a?b"],
    ["repeated-keys", '{"a": 1, "a": 2}', { a: 2 }],
    ["empty-list", "[]", []],
  ])("a fact: %s", async (certname, value, kept) => {
    expect(await submit("replace facts", 5, certname, factsWith(certname, value))).toEqual(done);
    expect(await stored("facts", certname, "value")).toEqual([kept]);
  });

  it("bytes that are not UTF-8", async () => {
    const [before, after] = Buffer.from(factsWith("bytes", '"|"')).toString().split("|");
    const payload = Buffer.concat([bytes(before ?? ""), Buffer.of(0xff), bytes(after ?? "")]);
    expect(await submit("replace facts", 5, "bytes", payload)).toEqual(done);
    expect(await stored("facts", "bytes", "value")).toEqual(["\u{fffd}"]);
  });

  it("text after the payload", async () => {
    const payload = bytes(`${Buffer.from(factsWith("behind", "1")).toString()} and so on`);
    expect(await submit("replace facts", 5, "behind", payload)).toEqual(done);
    expect(await stored("facts", "behind", "value")).toEqual([1]);
  });

  it("unknown keys of a catalog, which are dropped", async () => {
    const resources = [fileResource({ colour: "red" })];
    const payload = catalog({ certname: "extra", resources, edges: [], colour: "red" });
    expect(await submit("replace catalog", 9, "extra", payload)).toEqual(done);
    expect(await stored("resources", "extra", "title")).toEqual(["/tmp/x"]);
  });

  it("100,000 tags", async () => {
    const tags = Array.from({ length: 100_000 }, (_, index) => `tag-${index}`);
    const payload = catalog({ certname: "tags", resources: [fileResource({ tags })], edges: [] });
    expect(await submit("replace catalog", 9, "tags", payload)).toEqual(done);
    const [kept] = await stored("resources", "tags", "tags", ["=", "tag", "tag-99999"]);
    expect(new Set(kept as string[])).toEqual(new Set(tags));
  });

  it("a title of a megabyte", async () => {
    const title = "x".repeat(1024 * 1024);
    const payload = catalog({ certname: "title", resources: [fileResource({ title })], edges: [] });
    expect(await submit("replace catalog", 9, "title", payload)).toEqual(done);
    expect(await stored("resources", "title", "title")).toEqual([title]);
  });

  it("a time in the future, which makes later commands with earlier times stale", async () => {
    expect(await submit("replace facts", 5, "future-clock", at("2099-01-01T00:00:00Z", 1))).toEqual(done);
    expect(await submit("replace facts", 5, "future-clock", at("2026-11-20T00:00:00Z", 2))).toEqual(done);
    expect(await stored("facts", "future-clock", "value")).toEqual([1]);
  });

  it("an empty list of inputs, which changes nothing and creates no node", async () => {
    expect(await submit("replace catalog inputs", 1, "none", inputs({ certname: "none", inputs: [] }))).toEqual(done);
    expect(await stored("nodes", "none", "certname")).toEqual([]);
  });
});

describe("after all these commands", () => {
  it("no defect was reported, and no command is retried", () => {
    expect(service.faults).toEqual([]);
    for (const kind of kinds) expect(["received", "processed", "discarded"]).toContain(kind);
  });
});
