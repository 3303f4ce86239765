import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { QueueEntry } from "#storage/queue/entry.ts";
import { fileName, folderName, readFileName } from "#storage/queue/file-name.ts";
import { queued, RECEIVED } from "./entries.ts";

const ms = (offset: bigint): Pick<QueueEntry, "producerTimestamp"> => ({
  producerTimestamp: RECEIVED + offset * 1000n,
});

describe("the file of a command", () => {
  // The reference's examples, an id before each (reference/commands.md §2.1).
  it.each<[name: string, entry: Partial<QueueEntry>]>([
    ["17-1704164645678-78_facts_5_foo.json.gz", { ...ms(-78n), encoding: "gzip" }],
    ["17-1704164645678+322_report_8_foo.json", { command: "store report", version: 8, ...ms(322n) }],
    ["17-1704164645678+0_facts_5_foo.json", ms(0n)],
    ["17-1704164645678_rm-node_3_foo.json", { command: "deactivate node", version: 3 }],
    ["17-1704164645678_catalog_9_foo.json", { command: "replace catalog", version: 9 }],
    ["17-1704164645678_inputs_1_foo.json", { command: "replace catalog inputs", version: 1 }],
    ["17-1704164645678_set-expire_1_foo.json", { command: "configure expiration", version: 1 }],
  ])("is named %s, and the name reads back as the command", (name, entry) => {
    const command = queued(17, entry);
    expect(fileName(command)).toBe(name);
    const { size: _, ...readable } = command;
    expect(readFileName(name)).toStrictEqual(readable);
  });

  it.each<[certname: string, certId: string]>([
    ["foo_bar", "foo-bar_5d5f20e74771b852025c3edb66c9462eeb913d03"],
    ["a/b\\c:d\0e", `a-b-c-d-e_${hash("sha1", "a/b\\c:d\0e")}`],
    ["../../etc/passwd", `..-..-etc-passwd_${hash("sha1", "../../etc/passwd")}`],
    ["web-01.example.org", "web-01.example.org"],
  ])("of node %j has a name of characters that file systems allow", (certname, certId) => {
    expect(fileName(queued(17, { certname }))).toBe(`17-1704164645678_facts_5_${certId}.json`);
  });

  it.each<[what: string, certname: string]>([
    ["letters", "x".repeat(500)],
    ["letters of two bytes", "ü".repeat(500)],
    ["letters of four bytes", "\u{1f600}".repeat(500)],
  ])("has a name of at most 235 bytes after its id, with the certname cut between %s", (_what, certname) => {
    const name = fileName(queued(17, { certname })).slice("17-".length);
    const [, cut] = /^1704164645678_facts_5_(.+)_[0-9a-f]{40}\.json$/s.exec(name) ?? [];
    expect(cut).toBeDefined();
    expect(certname.startsWith(cut ?? "?")).toBe(true);
    expect(name.endsWith(`_${hash("sha1", certname)}.json`)).toBe(true);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(235);
    expect(Buffer.byteLength(name)).toBeGreaterThan(235 - 4);
  });

  it.each([
    "",
    "17-1704164645678-78_facts_5_foo.json.gz_err.txt",
    "17-1704164645678_rm-node_3_foo_err.txt",
    "1704164645678_facts_5_foo.json",
    "17-1704164645678_nonsense_5_foo.json",
    "tmp-17-1704164645678_facts_5_foo.json",
  ])("is not recognised by the name %j", (name) => {
    expect(readFileName(name)).toBeUndefined();
  });
});

it("the folder of a command is named after the command, without blanks", () => {
  expect(folderName("replace catalog inputs")).toBe("replace_catalog_inputs");
});
