import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { prepareAll, type PrepareResult } from "#storage/ingest/prepare-result.ts";
import { ItemCache } from "#storage/ingest/shortcuts/item-cache.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { PreparePool } from "#storage/ingest/threads/pool.ts";
import { RowInterner, RowResolver } from "#storage/ingest/threads/row-interner.ts";
import { type Json, stringifyJson } from "#storage/json.ts";
import { population, time } from "#test/fixture-store.ts";
import { mangled } from "#test/storage/wire/mangled.ts";
import { catalog, classResource, edge, facts, fileResource } from "#test/storage/wire/payloads.ts";

const tasksOf = (submissions: readonly Submission[]) =>
  submissions.map((submission) => ({ submission, storedDigest: undefined }));

/** A thread that prepares with a cache, and the thread that receives its results. */
class Threads {
  readonly #items = new ItemCache();
  readonly #interner = new RowInterner();
  readonly #resolver = new RowResolver();
  /** Rows that were sent as numbers. */
  numbers = 0;

  prepare(...submissions: Submission[]): readonly PrepareResult[] {
    if (this.#items.isFull) for (const memory of [this.#items, this.#interner, this.#resolver]) memory.clear();
    const results = prepareAll(tasksOf(submissions), { items: this.#items });
    const sent = structuredClone(this.#interner.intern(results));
    this.#resolver.add(sent.rows);
    this.numbers += sent.results.flatMap(rowsOf).filter((row) => typeof row === "number").length;
    return this.#resolver.resolve(sent.results);
  }
}

/** The rows of a catalog. */
function rowsOf(result: PrepareResult): readonly unknown[] {
  if (!("prepared" in result) || !("edges" in result.prepared)) return [];
  return [...result.prepared.resources, ...result.prepared.edges];
}

function sent(payload: string | Buffer): Submission {
  const received = time("2026-11-21T00:00:00Z");
  return { command: "replace catalog", version: 9, certname: "web-01", payload, received };
}
const sentCatalog = (payload: Json): Submission => sent(stringifyJson(payload));
const sentFacts = (payload: Json): Submission => ({ ...sentCatalog(payload), command: "replace facts", version: 5 });

/** The same without a cache. */
const whole = (...submissions: Submission[]): PrepareResult[] => prepareAll(tasksOf(submissions), {});

const text = stringifyJson(catalog());
const list = stringifyJson([edge(), edge({ relationship: "before" })]);

describe("a catalog read item by item", () => {
  it("yields the same rows as a catalog read as a whole, each time it is sent", () => {
    const threads = new Threads();
    for (let time = 1; time <= 4; time++) expect(threads.prepare(...population)).toEqual(whole(...population));
    expect(threads.numbers).toBeGreaterThan(15);
  });

  it("crosses threads as numbers once its items are cached", () => {
    const threads = new Threads();
    const submission = sentCatalog(catalog());
    const rows = whole(submission).flatMap(rowsOf).length;
    const counts = Array.from({ length: 3 }, () => {
      threads.numbers = 0;
      threads.prepare(submission);
      return threads.numbers;
    });
    // An item is cached when it comes for the second time.
    expect(counts).toEqual([0, rows, rows]);
  });

  it("is refused with the same message if it is invalid", () => {
    const threads = new Threads();
    for (const document of [...mangled(catalog())].map(sentCatalog)) {
      for (let time = 1; time <= 3; time++) expect(threads.prepare(document)).toEqual(whole(document));
    }
  });

  it.each<[what: string, submission: Submission]>([
    ["two lists of edges", sent(text.replace("{", `{"edges":${list},`))],
    ["a list of edges spelt otherwise", sent(text.replace('"edges"', String.raw`"\u0065dges"`))],
    ["both", sent(`{"edges":${list},${text.slice(1).replace('"edges"', String.raw`"\u0065dges"`)}`)],
    ["a comma too many", sent(text.replace(/\]([^\]]*)$/, ",]$1"))],
    ["no comma", sent(text.replace("},{", "} {"))],
    ["an object for a list", sent(text.replace(/"edges":\[[^\]]*\]/, '"edges":{}'))],
    ["blanks", sent(JSON.stringify(catalog(), null, 2))],
    ["a byte order mark", sent(`\ufeff${text}`)],
    ["one within", sent(text.replace('"resources":[', '"resources":[\ufeff'))],
    ["something behind it", sent(`${text} more`)],
    ["half of it", sent(text.slice(0, text.length / 2))],
    ["bytes that are no text", sent(Buffer.from(text.replace("/tmp/x", "/tmp/\u00ff"), "latin1"))],
    [
      "no two resources of one name",
      sentCatalog(catalog({ resources: [classResource(), classResource()], edges: [] })),
    ],
    ["edges to nowhere", sentCatalog(catalog({ resources: [classResource()], edges: [edge(), edge()] }))],
    ["repeated edges", sentCatalog(catalog({ edges: [edge(), edge({ more: 1 }), edge(), edge({ more: 0 })] }))],
    [
      "a resource of many bytes",
      sentCatalog(
        catalog({ resources: [classResource(), fileResource({ parameters: { content: "x".repeat(5000) } })] }),
      ),
    ],
  ])("yields the same rows or error as one read as a whole, with %s", (_what, submission) => {
    const threads = new Threads();
    for (let time = 1; time <= 3; time++) expect(threads.prepare(submission)).toEqual(whole(submission));
  });

  it("is distinguished from another one whose items have the same fingerprint", () => {
    const [one, other] = collidingTitles();
    const threads = new Threads();
    const numbersOf = (submission: Submission): number => {
      threads.numbers = 0;
      for (let time = 1; time <= 3; time++) expect(threads.prepare(submission)).toEqual(whole(submission));
      return threads.numbers;
    };
    expect(numbersOf(withTitle(one))).toBe(2);
    // Of items with one fingerprint only the first is cached: that none of these is shows that they collide.
    expect(numbersOf(withTitle(other))).toBe(0);
    expect(numbersOf(withTitle(`${one.slice(0, -1)}~`))).toBe(2);
    expect(numbersOf(withTitle(one))).toBe(3);
  });
});

const withTitle = (title: string): Submission =>
  sentCatalog(catalog({ resources: [classResource({ title })], edges: [] }));

/** The step of the cache's fingerprint: it takes four bytes at a time, little-endian. */
const step = (print: number, word: number): number => Math.imul(print ^ word, 0x9e3779b1);

/**
 * Two titles of classes with which the text of {@link classResource} has the same fingerprint: for other first four
 * characters there are other next four that lead to the same state.
 */
function collidingTitles(): [string, string] {
  const text = Buffer.from(stringifyJson(classResource({ title: "#".repeat(16) })));
  // The first word of the title that begins at a multiple of four bytes.
  const title = text.indexOf("#");
  const begin = Math.ceil(title / 4) * 4;
  let state = text.length;
  for (let at = 0; at < begin; at += 4) state = step(state, text.readInt32LE(at));
  const filler = text.readInt32LE(begin);
  const word = Buffer.alloc(8, "#");
  for (let number = 0; number < 100_000; number++) {
    word.write(((number * 7919) % 36 ** 4).toString(36).padStart(4, "a"), "latin1");
    word.writeInt32LE(step(state, filler) ^ filler ^ step(state, word.readInt32LE(0)), 4);
    if (!/^[a-z0-9]{4}[ !#-[\]-~]{4}$/.test(word.toString("latin1"))) continue;
    const lead = "#".repeat(begin - title);
    return ["#".repeat(16), `${lead}${word.toString("latin1")}`.padEnd(16, "#")];
  }
  throw new Error("no colliding title was found");
}

/** Catalogs with more items than the cache takes, if each of them comes twice. */
function* tooMany(catalogs = 450): Generator<Submission> {
  for (let index = 0; index < catalogs; index++) {
    const resources = Array.from({ length: 10 }, (_, at) =>
      fileResource({ title: `/tmp/${at}`, parameters: { content: `${index}-${at} ${"x".repeat(3800)}` } }),
    );
    yield sentCatalog(catalog({ resources, edges: [] }));
  }
}

// Compared outside of `expect`, which would take ten times as long.
describe("more items than the cache takes", () => {
  it("yield the same rows as catalogs read as a whole", () => {
    const threads = new Threads();
    for (const submission of tooMany()) {
      const expected = whole(submission);
      for (let time = 0; time < 2; time++) expect(isDeepStrictEqual(threads.prepare(submission), expected)).toBe(true);
    }
    expect(threads.numbers).toBeGreaterThan(1000);
  });

  it("come out of threads unchanged, next to others and after the threads have returned memory", async () => {
    const pool = new PreparePool({ threads: 2 });
    const all = [...tooMany(20)].flatMap((submission) => [submission, submission]);
    const catalogs = Array.from({ length: 200 }, () => sentCatalog(catalog()));
    // Enough facts for several messages, between which other messages may arrive.
    const many = sentFacts(
      facts({ values: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${at}`, at])) }),
    );
    for (let time = 0; time < 3; time++) {
      const both = [many, many, ...all.slice(10 * time), ...catalogs, many];
      const [first, second] = await Promise.all([both, both.toReversed()].map((some) => pool.prepare(tasksOf(some))));
      const expected = whole(...both);
      expect(isDeepStrictEqual(first, expected)).toBe(true);
      expect(isDeepStrictEqual(second, expected.toReversed())).toBe(true);
      await pool.shrink();
    }
    await pool.close();
  });
});
