import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import type { NewEntry, QueueEntry } from "#storage/queue/entry.ts";
import { parseTimestamp } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { queued, RECEIVED } from "./entries.ts";

const on = (clock: string): bigint => parseTimestamp(`2026-11-21T${clock}Z`) ?? 0n;
const faults = [
  { at: on("00:09:00.000"), message: "the first\n    at line 2" },
  { at: on("00:10:50.665"), message: "the second" },
];
const facts = queued(17, { size: 5 });
const report = queued(18, {
  command: "store report",
  version: 8,
  encoding: "gzip",
  producerTimestamp: RECEIVED + 322_000n,
  received: RECEIVED,
});
const payload = Buffer.from("{...}");

const FACTS = "replace_facts/17-1704164645678_facts_5_foo.json";
const REPORT = "store_report/18-1704164645678+322_report_8_foo.json.gz";

/** What letters that were handed back come to. */
async function taken(deadLetters: DeadLetters): Promise<[NewEntry, string][]> {
  const back: [NewEntry, string][] = [];
  await deadLetters.acceptRetried(async (entry, content) => {
    back.push([entry, Buffer.from(content).toString()]);
  });
  return back;
}

describe("the directory of dead letters (reference/commands.md §2.6)", () => {
  it("has a folder for each command, with payloads as received and diagnoses, newest attempt first", async () => {
    await using queue = await temporaryFolder();
    const deadLetters = new DeadLetters(queue.path);
    expect(await deadLetters.discard(facts, payload, faults)).toBe(FACTS);
    expect(await deadLetters.discard(report, payload, faults.slice(0, 1))).toBe(REPORT);
    const discarded = join(queue.path, "discarded");
    expect((await readdir(discarded)).sort()).toEqual(["replace_facts", "store_report"]);
    expect((await readdir(join(discarded, "replace_facts"))).sort()).toEqual([
      "17-1704164645678_facts_5_foo.json",
      "17-1704164645678_facts_5_foo_err.txt",
    ]);
    // `.json` makes way for the ending, `.json.gz` does not.
    expect((await readdir(join(discarded, "store_report"))).sort()).toEqual([
      "18-1704164645678+322_report_8_foo.json.gz",
      "18-1704164645678+322_report_8_foo.json.gz_err.txt",
    ]);
    expect(await readFile(join(discarded, FACTS))).toStrictEqual(payload);
    expect(await readFile(join(discarded, "replace_facts/17-1704164645678_facts_5_foo_err.txt"), "utf8")).toBe(
      [
        "Attempt 2 @ 2026-11-21T00:10:50.665Z",
        "the second",
        "",
        "Attempt 1 @ 2026-11-21T00:09:00.000Z",
        "the first",
        "    at line 2",
        "",
      ].join("\n"),
    );
  });

  it("lists its dead letters, oldest first, each with its reason in one line", async () => {
    await using queue = await temporaryFolder();
    const deadLetters = new DeadLetters(queue.path);
    expect(await deadLetters.list()).toEqual([]);
    const newer: QueueEntry = { ...facts, id: 19, certname: "bar", received: RECEIVED + 1000n };
    for (const entry of [newer, report, facts]) await deadLetters.discard(entry, payload, faults.slice(0, 1));
    await writeFile(join(queue.path, "discarded", "replace_facts", "notes.txt"), "not ours");
    const all = await deadLetters.list();
    expect(await deadLetters.newest(1)).toEqual({ total: 3, letters: all.slice(-1) });
    const list = await deadLetters.list();
    expect(list.map(({ name }) => name).slice(2)).toEqual(["replace_facts/19-1704164645679_facts_5_bar.json"]);
    expect(list).toContainEqual({
      name: REPORT,
      command: "store report",
      version: 8,
      certname: "foo",
      received: RECEIVED,
      size: 5,
      reason: "the first",
    });
  });

  it("reads and deletes one dead letter", async () => {
    await using queue = await temporaryFolder();
    const deadLetters = new DeadLetters(queue.path);
    for (const entry of [facts, report]) await deadLetters.discard(entry, payload, faults.slice(1));
    expect(await deadLetters.read(FACTS)).toStrictEqual({
      payload,
      diagnosis: "Attempt 1 @ 2026-11-21T00:10:50.665Z\nthe second\n",
    });
    await deadLetters.delete(FACTS);
    expect(await readdir(join(queue.path, "discarded", "replace_facts"))).toEqual([]);
    expect((await deadLetters.list()).map(({ name }) => name)).toEqual([REPORT]);
  });

  it("returns a retried dead letter to the queue unchanged", async () => {
    await using queue = await temporaryFolder();
    const deadLetters = new DeadLetters(queue.path);
    for (const entry of [facts, report]) await deadLetters.discard(entry, payload, faults);
    for (const name of [FACTS, REPORT]) await deadLetters.retry(name);
    expect(await deadLetters.list()).toEqual([]);
    const [first, second] = await taken(deadLetters);
    expect([first?.[1], second?.[1]]).toEqual(["{...}", "{...}"]);
    // The queue gives it a number and a size of its own.
    expect({ ...first?.[0], id: facts.id, size: facts.size }).toStrictEqual(facts);
    expect({ ...second?.[0], id: report.id, size: report.size }).toStrictEqual(report);
    expect(await taken(deadLetters)).toEqual([]);
  });

  it("keeps a retried dead letter until the queue has accepted it", async () => {
    await using queue = await temporaryFolder();
    const deadLetters = new DeadLetters(queue.path);
    await deadLetters.discard(facts, payload, faults);
    await deadLetters.retry(FACTS);
    await expect(deadLetters.acceptRetried(() => Promise.reject(new Error("no room")))).rejects.toThrow("no room");
    expect(await taken(deadLetters)).toHaveLength(1);
  });

  it("lists a dead letter without diagnosis, and skips one that disappears meanwhile", async () => {
    await using queue = await temporaryFolder();
    const deadLetters = new DeadLetters(queue.path);
    await deadLetters.discard(facts, payload, []);
    const folder = join(queue.path, "discarded", "replace_facts");
    await symlink(join(queue.path, "gone"), join(folder, "20-1704164645678_facts_5_gone.json"));
    expect(await deadLetters.list()).toMatchObject([{ name: FACTS, reason: "" }]);
  });

  it.each([
    "",
    "17-1704164645678_facts_5_foo.json",
    "replace_facts",
    "replace_facts/",
    "replace_facts/18-1704164645678_facts_5_foo.json",
    "store_report/17-1704164645678_facts_5_foo.json",
    "replace_facts/17-1704164645678_facts_5_foo_err.txt",
    "replace_facts/notes.txt",
    "../identity",
    "replace_facts/../../identity",
    "replace_facts/../17-1704164645678_facts_5_x.json",
    "replace_facts/17-1_facts_5_/../../../17-1_facts_5_x.json",
    "replace_facts\\..\\17-1704164645678_facts_5_foo.json",
    "replace_facts/17-1_facts_5_..\\..\\x.json",
    "replace_facts/17-1704164645678_facts_5_foo.json\0",
  ])("rejects the invalid or unknown name %j", async (name) => {
    await using queue = await temporaryFolder();
    const deadLetters = new DeadLetters(queue.path);
    await deadLetters.discard(facts, payload, faults);
    await writeFile(join(queue.path, "identity"), "precious");
    await writeFile(join(queue.path, "17-1_facts_5_x.json"), "precious");
    await writeFile(join(queue.path, "discarded", "17-1704164645678_facts_5_x.json"), "precious");
    const message = `dead letter ${JSON.stringify(name)} not found`;
    for (const attempt of [
      () => deadLetters.read(name),
      () => deadLetters.delete(name),
      () => deadLetters.retry(name),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "not-found", message });
    }
    expect(await readFile(join(queue.path, "17-1_facts_5_x.json"), "utf8")).toBe("precious");
    expect(await deadLetters.list()).toHaveLength(1);
  });

  it("are not accepted where they cannot be removed, and not twice where removing fails", async () => {
    await using queue = await temporaryFolder();
    const deadLetters = new DeadLetters(queue.path);
    await deadLetters.discard(facts, payload, faults);
    await deadLetters.retry(FACTS);
    const again = join(queue.path, "again");
    const [name = ""] = await readdir(again);
    let accepted = 0;
    // While it is accepted its file becomes one that cannot be removed.
    const take = async (): Promise<void> => {
      accepted++;
      await rm(join(again, name));
      await mkdir(join(again, name, "x"), { recursive: true });
    };
    await expect(deadLetters.acceptRetried(take)).rejects.toThrow(`${again}: dead letters wait here`);
    await deadLetters.acceptRetried(take);
    expect(accepted).toBe(1);
  });
});
