import { execFile } from "node:child_process";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { prepareAll } from "#storage/ingest/prepare-result.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { PreparePool } from "#storage/ingest/threads/pool.ts";
import { limitMemory } from "#storage/memory/budget.ts";
import { a } from "#test/fixture-store.ts";
import { event, fileResource, log, reportResource } from "#test/storage/wire/payloads.ts";

afterEach(() => void limitMemory(undefined));

describe("commands that are prepared together", () => {
  it("are prepared, except the one that needs more memory than a thread has", async () => {
    // In a process of its own: rarely V8 ends the process instead of the thread, and with it the tests beside this one.
    const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, "prepare-large.ts")]);
    expect(JSON.parse((await run).stdout)).toEqual([
      "before",
      {
        problem: "replace facts v5 of large: preparing it takes more memory than a thread may have",
        isDefect: false,
        // A thread of another machine may have more. Only stores that follow one log heed that.
        isOfMachine: true,
      },
      "after",
    ]);
  });
});

describe("a command that is prepared with little memory", () => {
  const text = `"é\u{1F600}" `.repeat(400_000);
  it.each([
    ["facts", a.facts("long", { values: { text, list: [text, { text }], kernel: "Linux" } })],
    ["a catalog", a.catalog("long", { resources: [fileResource({ parameters: { text, other: [text] } })], edges: [] })],
    [
      "a report",
      a.report("long", {
        logs: [log({ message: text })],
        resources: [reportResource({ events: [event({ new_value: text })] })],
      }),
    ],
    ["inputs", a.inputs("long", { inputs: [["hiera", text]] })],
  ])("yields the same rows as any other: %s", async (_, submission) => {
    limitMemory(512_000_000);
    const plain = Buffer.from(submission.payload);
    const packed: Submission = { ...submission, payload: gzipSync(plain), encoding: "gzip" };
    const [expected] = prepareAll([submission], {});
    const pool = new PreparePool({ threads: 1 });
    for (const each of [packed, { ...submission, payload: new Uint8Array(plain) }]) {
      const [result] = await pool.prepare([each], () => true);
      // A difference between texts of megabytes could not be printed.
      expect(isDeepStrictEqual(result, expected)).toBe(true);
    }
    await pool.close();
  });
});
