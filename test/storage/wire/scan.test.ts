import { assert, constantFrom, dictionary, jsonValue, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { prepare, prepareUnchanged } from "#storage/ingest/prepare.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { boundsOfAccepted } from "#storage/wire/bounds.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import { type Content, Scan, scan } from "#storage/wire/scan.ts";
import { a, queryRows, emptyStore, everyRow } from "#test/fixture-store.ts";

/** What a scan finds, which must not depend on the pieces: in those that cut a name in two nothing is found. */
function digestContent(command: CommandName, version: number, payload: Uint8Array): Content | undefined {
  const of = { command, version, certname: "x" };
  const whole = scan(of, payload, boundsOfAccepted);
  for (const size of [1, 5, 64]) {
    const pieces = new Scan(of, boundsOfAccepted);
    for (let at = 0; at < payload.length; at += size) pieces.add(payload.subarray(at, at + size));
    expect([undefined, whole]).toContainEqual(pieces.end());
  }
  return whole;
}

const bytes = (payload: object): Buffer => Buffer.from(JSON.stringify(payload));
const facts = (changes: object): Buffer => bytes({ ...(JSON.parse(a.facts("x").payload) as object), ...changes });
const catalog = (changes: object): Buffer => bytes({ ...(JSON.parse(a.catalog("x").payload) as object), ...changes });
const uuid = "00000000-0000-4000-8000-000000000001";

describe("the digest of a content", () => {
  it.each([{ producer_timestamp: "2026-11-20T23:00:00Z" }, { producer: "other" }])(
    "of facts does not depend on %j",
    (changes) => {
      expect(digestContent("replace facts", 5, facts(changes))?.digest).toBe(
        digestContent("replace facts", 5, facts({}))?.digest,
      );
    },
  );

  it.each([{ environment: "other" }, { values: { a: 2 } }, { package_inventory: [["a", "1", "apt"]] }])(
    "of facts changes with %j",
    (changes) => {
      expect(digestContent("replace facts", 5, facts(changes))?.digest).not.toBe(
        digestContent("replace facts", 5, facts({}))?.digest,
      );
    },
  );

  it.each([
    { transaction_uuid: uuid },
    { catalog_uuid: uuid },
    { version: "2" },
    { code_id: "c" },
    { job_id: "7" },
    { environment: "other" },
  ])("of a catalog does not depend on %j", (changes) => {
    const digest = digestContent("replace catalog", 9, catalog({}))?.digest;
    expect(digest).toBeDefined();
    expect(digestContent("replace catalog", 9, catalog(changes))?.digest).toBe(digest);
  });

  it("does not exist for older versions and other commands", () => {
    expect(digestContent("replace catalog", 8, catalog({}))).toBeUndefined();
    expect(digestContent("store report", 8, Buffer.from(a.report("x").payload))).toBeUndefined();
  });
});

/** A fact set with its members in a different order for each `turn`. */
const spelt = (values: object, time: string, turn: number, space: number | undefined): Buffer => {
  const members = Object.entries({ certname: "x", values, producer_timestamp: time, package_inventory: [[time]] });
  const packages = [...members.slice(turn), ...members.slice(0, turn)];
  return Buffer.from(JSON.stringify({ ...Object.fromEntries(packages), package_inventory: [] }, null, space));
};

describe("the digest of a stored content", () => {
  const large = dictionary(string({ unit: "binary" }), jsonValue(), { maxKeys: 4 });
  const times = constantFrom("2026-11-20T23:00:00Z", "", "long after");
  const order = constantFrom(0, 1, 2, 3);
  it("is that of the same content at any time, and of no other content", () => {
    const blank = constantFrom(undefined, 2);
    assert(
      property(large, large, times, times, order, blank, (values, others, time, later, turn, space) => {
        const stored = digestContent("replace facts", 5, spelt(values, time, turn, space));
        expect(stored).toBeDefined();
        const again = digestContent("replace facts", 5, spelt(values, later, turn, space));
        expect(again?.digest).toBe(stored?.digest);
        expect(JSON.parse(String(again?.head))).toEqual({
          certname: "x",
          values: {},
          producer_timestamp: later,
          package_inventory: [],
        });
        const other = digestContent("replace facts", 5, spelt(others, later, turn, space));
        const isSame = JSON.stringify(values) === JSON.stringify(others);
        expect(other?.digest === stored?.digest).toBe(isSame);
      }),
    );
  });

  it.each(["", "{", "[]", '"{}"', "null", '{"values":', '{"values":{}', '{"values":{"a":1}'])(
    "does not exist for %j",
    (text) => {
      expect(digestContent("replace facts", 5, Buffer.from(text))).toBeUndefined();
    },
  );

  it("is another one for other content, longer, shorter or of the same length", () => {
    const digest = digestContent("replace facts", 5, facts({ values: { a: 12 } }))?.digest;
    for (const values of [{ a: 1 }, { a: 123 }, { a: 21 }, { a: "}" }, {}])
      expect(digestContent("replace facts", 5, facts({ values }))?.digest).not.toBe(digest);
    for (const text of ['{"values":{}}{"values":{}}', '{"values":{"a":12},"values":{"a":1}}', '{"values":{"a":12}}}'])
      expect(digestContent("replace facts", 5, Buffer.from(text))?.digest).not.toBe(digest);
    expect(digestContent("replace facts", 5, facts({ values: { a: 12 } }))?.digest).toBe(digest);
  });
});

const at = (hour: number, values: object): Submission =>
  a.facts("x", { producer_timestamp: `2026-11-20T${String(hour).padStart(2, "0")}:00:00Z`, values: values as never });

describe("content that is sent again", () => {
  it("is not read when the node has it already", () => {
    const submission = a.catalog("x");
    const first = prepare(submission);
    if (first.command !== "replace catalog") throw new Error(first.command);
    expect(first).toMatchObject({ kind: "full", contentDigest: expect.any(String) });
    const content = digestContent("replace catalog", 9, Buffer.from(submission.payload));
    const again = prepareUnchanged(submission, content ?? { digest: "", head: undefined });
    expect(again).toMatchObject({ kind: "unchanged", contentDigest: first.contentDigest });
    expect(again).not.toHaveProperty("resources");
  });

  /** Commands may be skipped as unchanged, but the newest content must be stored in the end. */
  it.each<[what: string, sent: Submission[], stored: unknown]>([
    ["sent twice", [at(1, { a: 1 }), at(2, { a: 1 })], 1],
    ["changed and changed back", [at(1, { a: 1 }), at(2, { a: 2 }), at(3, { a: 1 })], 1],
    [
      "changed, changed back late, and once more",
      [at(1, { a: 1 }), at(3, { a: 2 }), at(2, { a: 1 }), at(4, { a: 1 })],
      1,
    ],
    ["changed back too late", [at(1, { a: 1 }), at(3, { a: 2 }), at(2, { a: 1 })], 2],
  ])("is stored as the newest command has it: %s", async (_what, sent, stored) => {
    for (const together of [true, false]) {
      await using place = await emptyStore().then((store) => ({ store, [Symbol.asyncDispose]: () => store.close() }));
      const { store } = place;
      await store.submit(sent[0] as Submission);
      if (together) await Promise.all(sent.slice(1).map((submission) => store.submit(submission)));
      else for (const submission of sent.slice(1)) await store.submit(submission);
      expect(await queryRows(store, { of: everyRow("facts") })).toMatchObject([{ name: "a", value: stored }]);
    }
  });

  it("updates the times and keeps the hash", async () => {
    const store = await emptyStore();
    await store.submit(a.catalog("x"));
    const [before] = (await queryRows(store, { of: everyRow("catalogs") })) as Record<string, unknown>[];
    await store.submit(
      a.catalog("x", { producer_timestamp: "2026-11-20T23:00:00Z", version: "later", transaction_uuid: uuid }),
    );
    const [after] = (await queryRows(store, { of: everyRow("catalogs") })) as Record<string, unknown>[];
    expect(after).toEqual({
      ...before,
      producer_timestamp: "2026-11-20T23:00:00.000Z",
      version: "later",
      transaction_uuid: uuid,
    });
    await store.close();
  });
});
