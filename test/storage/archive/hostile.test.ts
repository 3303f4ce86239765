import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Header } from "tar-stream";
import { describe, expect, it } from "vitest";
import { type ArchiveLimits, openMembers } from "#storage/archive/members.ts";
import {
  failure,
  failureOf,
  folder,
  MEMBERS,
  METADATA,
  rawZip,
  tar,
  temporary,
  tgz,
  zip,
  type Entry,
  type RawZip,
} from "./build.ts";

describe("hostile archives", () => {
  const paths: [string, RegExp][] = [
    ["/etc/passwd", /^: member "\/etc\/passwd" has an absolute path$/],
    ["../evil.json", /^: member "\.\.\/evil\.json" has a path that leaves the archive/],
    ["puppetdb-bak/facts/../../../evil.json", /leaves the archive/],
    ["puppetdb-bak/..", /leaves the archive/],
    ["C:/evil.json", /has a Windows drive in its path$/],
    ["puppetdb-bak\\facts\\a.json", /has a Windows path \(backslash\)$/],
    ["..\\evil.json", /has a Windows path/],
    [`puppetdb-bak/${"x".repeat(300)}.json`, /^: member "puppetdb-bak\/x+…" has a name of 318 bytes, allowed are 256$/],
    ["puppetdb-bak/line\nbreak/../x", /^: member "puppetdb-bak\/line\\nbreak\/\.\.\/x" has a path/],
  ];
  it.each(paths)("tar with the path %j", async (name, message) => {
    expect(await failure(await tgz([[name, "{}"]]), { nameBytes: 256 })).toMatch(message);
  });
  it.each(paths)("zip with the path %j", async (name, message) => {
    expect(await failure(rawZip({ name }), { nameBytes: 256 })).toMatch(message);
  });

  const types: [Partial<Header>, RegExp][] = [
    [{ type: "symlink", linkname: "/etc/passwd" }, /^: member "puppetdb-bak\/x" is a symbolic link, not a file$/],
    [{ type: "link", linkname: "puppetdb-bak/y" }, /is a hard link, not a file$/],
    [{ type: "character-device" }, /is a device, not a file$/],
    [{ type: "block-device" }, /is a device, not a file$/],
    [{ type: "fifo" }, /is a named pipe, not a file$/],
  ];
  it.each(types)("tar with %j", async (header, message) => {
    const entry = { ...header, name: "puppetdb-bak/x" } as Entry;
    expect(await failure(await tgz([["puppetdb-bak/export-metadata.json", METADATA], entry]))).toMatch(message);
  });

  const zips: [string, RawZip, RegExp][] = [
    ["symbolic link", { mode: 0o120777 }, /^: member "a" is a symbolic link, not a file$/],
    ["device", { mode: 0o020644 }, /^: member "a" is a device, not a file$/],
    ["encrypted member", { flags: 1 }, /^: member "a" is encrypted$/],
    ["unknown compression", { method: 12 }, /^: member "a" is compressed by method 12; only deflate can be read$/],
    ["member larger than it says", { size: 1 }, /member "a" does not match its size and checksum$/],
    ["absurd size", { size: 0xfffffffe }, /^: member "a" is larger than the 268435456 bytes allowed$/],
  ];
  it.each(zips)("zip with: %s", async (_name, entry, message) => {
    expect(await failure(rawZip(entry))).toMatch(message);
  });

  it("folder with a symbolic link", async () => {
    await using place = await temporary();
    await folder(place.path, MEMBERS);
    await symlink("/etc/passwd", join(place.path, "puppetdb-bak/facts/evil.json"));
    expect(await failureOf(place.path)).toBe(': member "puppetdb-bak/facts/evil.json" is a symbolic link, not a file');
  });

  it("folder whose top directory is a symbolic link", async () => {
    await using place = await temporary();
    await folder(join(place.path, "real"), MEMBERS);
    await mkdir(join(place.path, "fake"));
    await symlink("../real/puppetdb-bak", join(place.path, "fake/puppetdb-bak"));
    expect(await failureOf(join(place.path, "fake"))).toMatch(/"puppetdb-bak\/" is a symbolic link$/);
  });

  it("does not call an unpacked folder a bomb, however many files it has", async () => {
    await using place = await temporary();
    await folder(place.path, MEMBERS);
    const names: string[] = [];
    const limits = { ratioFrom: 1, ratio: 1 };
    for await (const { name } of openMembers(place.path, limits)) names.push(name);
    expect(names).toHaveLength(MEMBERS.length);
  });

  const bomb = Buffer.alloc(4 * 1024 * 1024).toString();
  const limits: [string, () => Promise<Buffer>, Partial<ArchiveLimits>, RegExp][] = [
    [
      "member size",
      () => tgz(MEMBERS),
      { memberBytes: 20 },
      /^: member "puppetdb-bak\/export-metadata\.json" is larger than the 20 bytes allowed$/,
    ],
    ["member size in a zip", () => zip(MEMBERS), { memberBytes: 20 }, /is larger than the 20 bytes allowed$/],
    [
      "declared size beyond any disk",
      async () => resize(await tar(MEMBERS)),
      {},
      /export-metadata\.json" is larger than the 268435456 bytes allowed$/,
    ],
    ["total size", () => tgz(MEMBERS), { totalBytes: 2000 }, /^: unpacks to more than the 2000 bytes allowed/],
    ["total size in a zip", () => zip(MEMBERS), { totalBytes: 200 }, /^: unpacks to more than the 200 bytes allowed/],
    ["number of members", () => tgz(MEMBERS), { members: 3 }, /^: more than 3 members$/],
    ["number of members in a zip", () => zip(MEMBERS), { members: 3 }, /^: more than 3 members$/],
    [
      "bomb",
      () => tgz([["a", bomb]]),
      { ratioFrom: 1024 * 1024 },
      /^: unpacks to more than 500 bytes for each byte of the file.*: a decompression bomb$/,
    ],
    ["bomb in a zip", () => zip([["a", bomb]]), { ratioFrom: 1024 * 1024 }, /a decompression bomb$/],
  ];
  it.each(limits)("limit on: %s", async (_name, build, limit, message) => {
    expect(await failure(await build(), limit)).toMatch(message);
  });
});

/** The first member's size set to 2^62 bytes in base 256. */
function resize(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.fill(0, 124, 136).writeUInt8(0x80, 124);
  changed.writeUInt8(0x40, 128);
  changed.fill(0x20, 148, 156);
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return changed;
}
