import { batchLimits } from "#storage/memory/budget.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import { CensusError } from "#storage/errors.ts";
import { a, emptyStore, fieldOf, nodeRow, rowsOf } from "#test/fixture-store.ts";
import { fileResource, report } from "#test/storage/wire/payloads.ts";

let store: Store;
beforeEach(async () => {
  store = await emptyStore();
});
afterEach(() => store.close());

const on = (clock: string): string => `2026-11-20T${clock}Z`;

const unreadable: Submission = { ...a.facts("bad"), payload: "{" };
const illegal = a.facts("bad", { values: "none" });

/** Submits all at once, so that they share a transaction. */
async function together(...submissions: Submission[]): Promise<string[]> {
  const settled = await Promise.allSettled(submissions.map((submission) => store.submit(submission)));
  return settled.map((result) => (result.status === "fulfilled" ? result.value : String(result.reason)));
}

async function* each(...submissions: Submission[]): AsyncGenerator<Submission> {
  yield* submissions;
}

describe("commands of one node in one batch", () => {
  it("are stored in their order", async () => {
    const outcomes = await together(
      a.facts("web", { producer_timestamp: on("10:00:00"), values: { mark: "first", gone: 1 } }),
      a.facts("web", { producer_timestamp: on("12:00:00"), values: { mark: "second" } }),
      a.facts("web", { producer_timestamp: on("11:00:00"), values: { mark: "too late" } }),
      a.catalog("web", { producer_timestamp: on("10:00:00"), resources: [fileResource({ title: "one" })], edges: [] }),
      a.catalog("web", { producer_timestamp: on("10:00:00"), resources: [fileResource({ title: "two" })], edges: [] }),
      a.deactivation("web", on("12:00:00")),
    );
    expect(outcomes).toEqual(["stored", "stored", "stale", "stored", "stored", "stored"]);
    expect(await fieldOf(store, "facts", "value")).toEqual(["second"]);
    expect(await fieldOf(store, "resources", "title")).toEqual(["two"]);
    expect(await nodeRow(store, "web")).toMatchObject({ deactivated: on("12:00:00.000") });
  });

  it("keep the stored facts if the last one restores them", async () => {
    const old = { values: { mark: "old" } };
    await together(a.facts("web", { ...old, producer_timestamp: on("10:00:00") }));
    await together(
      a.facts("web", { producer_timestamp: on("11:00:00"), values: { mark: "new" } }),
      a.facts("web", { ...old, producer_timestamp: on("12:00:00") }),
    );
    expect(await fieldOf(store, "facts", "value")).toEqual(["old"]);
    expect(await fieldOf(store, "fact_contents", "value")).toEqual(["old"]);
  });

  it("create one node", async () => {
    await together(...Array.from({ length: 50 }, (_, i) => a.report("web", { configuration_version: String(i) })));
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["web"]);
    expect(await rowsOf(store, "reports")).toHaveLength(50);
  });
});

describe("a command that cannot be stored", () => {
  it.each([
    ["is not JSON", unreadable, "the payload is not JSON"],
    ["breaks its format", illegal, "replace facts v5 of bad: values: expected an object, found a string"],
    ["is of an unknown version", { ...a.facts("bad"), version: 99 }, "Unsupported command replace facts version 99"],
  ])("because it %s is the only one of its batch that fails", async (_why, bad, message) => {
    const [before, failed, after] = await together(a.facts("one"), bad, a.facts("two"));
    expect(before).toBe("stored");
    expect(after).toBe("stored");
    expect(failed).toContain(message);
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one", "two"]);
  });

  it("is rejected with the code bad-input", async () => {
    await expect(store.submit(illegal)).rejects.toMatchObject({ code: "bad-input" });
    await expect(store.submit(unreadable)).rejects.toBeInstanceOf(CensusError);
  });
});

describe("commands one after another", () => {
  // A command that arrived just after a batch was once never stored.
  it("are stored at any distance in time between them", async () => {
    for (let turns = 0; turns < 30; turns++) {
      expect(await store.submit(a.facts("web", { values: { turns } }))).toBe("stored");
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    }
    expect(await fieldOf(store, "facts", "value")).toEqual(["29"]);
  });
});

describe("more commands than one transaction takes", () => {
  it("are all stored", async () => {
    const submissions = Array.from({ length: 600 }, (_, i) =>
      a.facts(`node-${i % 300}`, { producer_timestamp: on(i < 300 ? "10:00:00" : "11:00:00"), values: { i } }),
    );
    expect(new Set(await together(...submissions))).toEqual(new Set(["stored"]));
    expect(
      await rowsOf(store, "facts", [
        "extract",
        [
          ["function", "count"],
          ["function", "min", "value"],
        ],
      ]),
    ).toEqual([{ count: 300, min: 300 }]);
  });
});

async function* broken(): AsyncGenerator<Submission> {
  yield* Array.from({ length: 300 }, (_, i) => a.facts(`node-${i}`));
  throw new CensusError("bad-file", "the archive ends too early");
}

describe("importing", () => {
  it("returns the number of stored commands", async () => {
    expect(await store.importAll(each(a.facts("one"), a.catalog("one"), a.facts("two")))).toBe(3);
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one", "two"]);
  });

  it("is all or nothing", async () => {
    const many = Array.from({ length: 300 }, (_, i) => a.facts(`node-${i}`));
    await expect(store.importAll(each(...many, illegal))).rejects.toMatchObject({ code: "bad-input" });
    expect(await fieldOf(store, "nodes", "certname")).toEqual([]);
    expect(await rowsOf(store, "facts")).toEqual([]);
    expect(await rowsOf(store, "fact_paths")).toEqual([]);
    expect(await rowsOf(store, "environments")).toEqual([]);
    // What the failed import had numbered must not be remembered.
    expect(await store.importAll(each(...many.slice(0, 2), a.catalog("node-0")))).toBe(3);
    expect(await fieldOf(store, "facts", "certname")).toEqual(["node-0", "node-1"]);
    expect(await fieldOf(store, "fact_contents", "name")).toEqual(["kernel", "kernel"]);
    expect(await fieldOf(store, "environments", "name")).toEqual(["production"]);
  });

  it("stores nothing if the source fails", async () => {
    await expect(store.importAll(broken())).rejects.toThrow("the archive ends too early");
    expect(await fieldOf(store, "nodes", "certname")).toEqual([]);
  });

  it("skips and reports commands that cannot be stored, given a function for them", async () => {
    const skipped: [string, string][] = [];
    const count = await store.importAll(each(a.facts("one"), illegal, a.facts("two"), unreadable), {
      onInvalid: ({ command }, error) => skipped.push([command, error.message]),
    });
    expect(count).toBe(2);
    expect(skipped).toEqual([
      ["replace facts", "replace facts v5 of bad: values: expected an object, found a string"],
      ["replace facts", expect.stringContaining("the payload is not JSON")],
    ]);
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one", "two"]);
  });

  it("lets what has been stored be read before the rest is there, given a function for that", async () => {
    const release = Promise.withResolvers<void>();
    const readable = Promise.withResolvers<void>();
    async function* paused(): AsyncGenerator<Submission> {
      // More than one batch, and the one that is prepared ahead.
      for (let index = 0; index < 3 * batchLimits.commands; index++) yield a.facts(`node-${index}`);
      await release.promise;
      yield a.facts("last");
    }
    const importing = store.importAll(paused(), { onReadable: readable.resolve });
    await readable.promise;
    const early = await fieldOf(store, "nodes", "certname");
    expect(early).toContain("node-0");
    expect(early).not.toContain("last");
    release.resolve();
    expect(await importing).toBe(3 * batchLimits.commands + 1);
    expect(await fieldOf(store, "nodes", "certname")).toContain("last");
  });

  it("keeps newer data that are stored, and adds others", async () => {
    await store.submit(a.facts("web", { producer_timestamp: on("12:00:00") }));
    await store.importAll(
      each(
        a.facts("web", { producer_timestamp: on("11:00:00"), values: { kernel: "older" } }),
        a.report("web", report({ certname: "web" })),
      ),
    );
    expect(await fieldOf(store, "facts", "value")).toEqual(["Linux"]);
    expect(await rowsOf(store, "reports")).toHaveLength(1);
  });
});
