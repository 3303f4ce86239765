import { assert, constantFrom, dictionary, jsonValue, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attempt, attemptAll } from "#storage/ingest/prepare-result.ts";
import { KnownParts } from "#storage/ingest/shortcuts/item-cache.ts";
import { Preparer } from "#storage/ingest/threads/pool.ts";
import { HeardRows, ToldRows } from "#storage/ingest/threads/interned-rows.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { type Json, stringifyJson } from "#storage/json.ts";
import { population, time } from "#test/fixture-store.ts";
import { mangled } from "#test/storage/wire/mangled.ts";
import { catalog, classResource, edge, facts, fileResource } from "#test/storage/wire/payloads.ts";

/** A thread that prepares, and the one that it tells what it has made. */
class Threads {
  readonly #parts = new KnownParts();
  readonly #told = new ToldRows();
  readonly #heard = new HeardRows();
  /** Rows that have crossed as numbers. */
  numbers = 0;

  prepare(...submissions: Submission[]): readonly Attempt[] {
    if (this.#parts.isFull) for (const memory of [this.#parts, this.#told, this.#heard]) memory.clear();
    const attempts = attemptAll(submissions, [], { parts: this.#parts });
    const sent = structuredClone(this.#told.shortened(attempts));
    this.#heard.add(sent.told);
    this.numbers += JSON.stringify(sent.attempts, plain).match(/(?<=[[,])\d+(?=[,\]])/g)?.length ?? 0;
    return this.#heard.restored(sent.attempts);
  }
}

const plain = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);

function sent(command: "replace catalog" | "replace facts", payload: string | Buffer): Submission {
  const version = command === "replace catalog" ? 9 : 5;
  return { command, version, certname: "web-01", payload, received: time("2026-11-21T00:00:00Z") };
}
const sentCatalog = (payload: Json): Submission => sent("replace catalog", stringifyJson(payload));
const sentFacts = (payload: Json): Submission => sent("replace facts", stringifyJson(payload));

const whole = (...submissions: Submission[]): Attempt[] => attemptAll(submissions, [], {});

const packages = [
  ["bash", "5.1", "apt"],
  ["zlib", "1.2", "apt"],
  ["bash", "5.1", "apt"],
];

const text = stringifyJson(catalog());
const list = stringifyJson([edge(), edge({ relationship: "before" })]);

describe("a document read part by part", () => {
  it("is what it is when it is read as a whole, as often as it comes", () => {
    const threads = new Threads();
    for (let time = 1; time <= 4; time++) expect(threads.prepare(...population)).toEqual(whole(...population));
    expect(threads.numbers).toBeGreaterThan(50);
  });

  it("crosses in few numbers once its parts are known", () => {
    const threads = new Threads();
    const submission = sentFacts(facts({ values: { os: { name: "Debian", family: "Debian" }, up: 1 } }));
    const counts = Array.from({ length: 3 }, () => {
      threads.numbers = 0;
      threads.prepare(submission);
      return threads.numbers;
    });
    // Two facts with three leaves; the first time all of them cross themselves.
    expect(counts).toEqual([0, 5, 5]);
  });

  it("is so whatever is wrong with it, told in the same words", () => {
    const threads = new Threads();
    const documents = [
      ...[...mangled(catalog())].map(sentCatalog),
      ...[...mangled(facts({ package_inventory: packages }))].map(sentFacts),
    ];
    for (const document of documents) {
      for (let time = 1; time <= 3; time++) expect(threads.prepare(document)).toEqual(whole(document));
    }
  });

  it.each<[what: string, submission: Submission]>([
    ["two lists of edges", sent("replace catalog", text.replace("{", `{"edges":${list},`))],
    ["a list of edges spelt otherwise", sent("replace catalog", text.replace('"edges"', String.raw`"\u0065dges"`))],
    ["both", sent("replace catalog", `{"edges":${list},${text.slice(1).replace('"edges"', String.raw`"\u0065dges"`)}`)],
    ["a comma too many", sent("replace catalog", text.replace(/\]([^\]]*)$/, ",]$1"))],
    ["no comma", sent("replace catalog", text.replace("},{", "} {"))],
    ["an object for a list", sent("replace catalog", text.replace(/"edges":\[[^\]]*\]/, '"edges":{}'))],
    [
      "a list for an object",
      sent("replace facts", stringifyJson(facts()).replace(/"values":\{[^}]*\}/, '"values":[]')),
    ],
    ["blanks", sent("replace catalog", JSON.stringify(catalog(), null, 2))],
    ["a byte order mark", sent("replace catalog", `\ufeff${text}`)],
    ["one within", sent("replace catalog", text.replace('"resources":[', '"resources":[\ufeff'))],
    ["something behind it", sent("replace catalog", `${text} more`)],
    ["half of it", sent("replace catalog", text.slice(0, text.length / 2))],
    ["bytes that are no text", sent("replace catalog", Buffer.from(text.replace("/tmp/x", "/tmp/\u00ff"), "latin1"))],
    [
      "no two resources of one name",
      sentCatalog(catalog({ resources: [classResource(), classResource()], edges: [] })),
    ],
    ["edges to nowhere", sentCatalog(catalog({ resources: [classResource()], edges: [edge(), edge()] }))],
    ["repeated edges", sentCatalog(catalog({ edges: [edge(), edge({ more: 1 }), edge(), edge({ more: 0 })] }))],
    [
      "a fact twice",
      sent(
        "replace facts",
        `{"values":{"a":1,"b":2,"a":3},${stringifyJson({ ...facts(), values: undefined as never }).slice(1)}`,
      ),
    ],
    [
      "facts named by numbers",
      sent("replace facts", stringifyJson(facts()).replace('"values":{', '"values":{"b":1,"10":2,"9":3,')),
    ],
    [
      "a fact called __proto__",
      sent("replace facts", stringifyJson(facts()).replace('"values":{', '"values":{"__proto__":{"a":1},')),
    ],
    ["facts that cannot be kept as they are", sentFacts(facts({ values: { "a\0": "b\0\ud800", c: ["\0"] } }))],
    [
      "numbers as they were written",
      sent(
        "replace facts",
        stringifyJson(facts()).replace('"values":{', '"values":{"n":1.0,"m":12345678901234567890,'),
      ),
    ],
    ["no packages", sentFacts(facts({ package_inventory: null }))],
    ["packages twice", sentFacts(facts({ package_inventory: packages }))],
    [
      "a resource of many bytes",
      sentCatalog(
        catalog({ resources: [classResource(), fileResource({ parameters: { content: "x".repeat(5000) } })] }),
      ),
    ],
  ])("is so with %s", (_what, submission) => {
    const threads = new Threads();
    for (let time = 1; time <= 3; time++) expect(threads.prepare(submission)).toEqual(whole(submission));
  });

  it("is so with whatever facts", () => {
    const threads = new Threads();
    const values = dictionary(string({ unit: "binary" }), jsonValue(), { maxKeys: 5 });
    const blank = constantFrom(undefined, 1);
    assert(
      property(values, blank, (some, space) => {
        const submission = sent("replace facts", JSON.stringify({ ...facts(), values: some }, null, space));
        for (let time = 1; time <= 3; time++) expect(threads.prepare(submission)).toEqual(whole(submission));
      }),
    );
  });
});

/** Fact sets whose parts are more than a thread remembers, each of them twice. */
function* tooMany(): Generator<Submission> {
  for (let index = 0; index < 450; index++) {
    const values = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`fact_${at}`, `${index}-${at} ${"x".repeat(4000)}`]),
    );
    for (let time = 0; time < 2; time++) yield sentFacts(facts({ values }));
  }
}

/** A fact of 3 kB that becomes 1,501 rows. */
const manyRows = (index: number): Submission =>
  sentFacts(facts({ values: { [`fact_${index}`]: Array<number>(1500).fill(0) } }));

describe("more parts than are remembered", () => {
  it("are read again", () => {
    const threads = new Threads();
    for (const submission of tooMany()) expect(threads.prepare(submission)).toEqual(whole(submission));
    expect(threads.numbers).toBeGreaterThan(1000);
  });

  it("are those that become many rows as well", () => {
    const parts = new KnownParts();
    let count = 0;
    for (; !parts.isFull && count < 1000; count++) attemptAll([manyRows(count), manyRows(count)], [], { parts });
    // A thousand of them are 3 MB, as they come.
    expect(count).toBeLessThan(100);
  });

  it("come out of other threads as they should, beside others and after these have given memory back", async () => {
    const preparer = new Preparer({ threads: 2 });
    const all = [...tooMany()].slice(0, 40);
    const catalogs = Array.from({ length: 200 }, () => sentCatalog(catalog()));
    // So many that they cross in several messages, between which others may come.
    const many = sentFacts(
      facts({ values: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${at}`, at])) }),
    );
    for (let time = 0; time < 3; time++) {
      const both = [many, many, ...all.slice(10 * time), ...catalogs, many];
      const [first, second] = await Promise.all(
        [both, both.toReversed()].map((some) => preparer.prepare(some, () => undefined)),
      );
      expect(first).toEqual(whole(...both));
      expect(second).toEqual(whole(...both.toReversed()));
      await preparer.shrink();
    }
    await preparer.close();
  });
});
