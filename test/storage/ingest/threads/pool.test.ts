import { afterEach, describe, expect, it } from "vitest";
import { PreparePool } from "#storage/ingest/threads/pool.ts";
import { limitMemory } from "#storage/memory/budget.ts";
import { defaultBounds } from "#storage/wire/bounds.ts";
import { a } from "#test/fixture-store.ts";

afterEach(() => void limitMemory(undefined));

describe("commands that are prepared together", () => {
  it("are prepared but for the one that takes more memory than a thread has", async () => {
    limitMemory(300_000_000);
    const pool = new PreparePool({ threads: 1, bounds: { ...defaultBounds, factsetValues: 10_000_000 } });
    const many = Array.from({ length: 500_000 }, (_, index) => index % 10);
    const submissions = [a.facts("before"), a.facts("large", { values: { many } }), a.facts("after")];
    const results = await pool.prepare(submissions.map((submission) => ({ submission, storedDigest: undefined })));
    await pool.close();
    expect(results.map((result) => ("prepared" in result ? result.prepared.certname : result))).toEqual([
      "before",
      {
        problem: "replace facts v5 of large: preparing it takes more memory than a thread may have",
        isDefect: false,
      },
      "after",
    ]);
  });
});
