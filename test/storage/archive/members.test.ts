import { execFileSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openMembers } from "#storage/archive/members.ts";
import {
  failure,
  failureOf,
  flip,
  folder,
  MEMBERS,
  METADATA,
  read,
  tar,
  temporary,
  tgz,
  zip,
  type Entry,
} from "./build.ts";
import { withoutRoot } from "#test/without-root.ts";

describe("the members of an archive, in each container under any name", () => {
  const containers: [string, () => Promise<Buffer>][] = [
    ["tar.gz", () => tgz(MEMBERS)],
    ["tar", () => tar(MEMBERS)],
    ["tar.gz of two gzip members", async () => splitGzip(await tgz(MEMBERS))],
    [
      "tar with folders and ./",
      () => tar([dir("./"), dir("./puppetdb-bak/"), ...MEMBERS.map(([n, b]) => [`./${n}`, b] as const)]),
    ],
    ["zip", () => zip(MEMBERS)],
    ["zip with a long comment", () => zip(MEMBERS, "PK\x05\x06 ".repeat(3000))],
  ];
  it.each(containers)("%s", async (_name, bytes) => {
    await using place = await temporary();
    const path = join(place.path, "export.bin");
    await writeFile(path, await bytes());
    expect(await read(path)).toEqual(MEMBERS);
  });

  it("folder", async () => {
    await using place = await temporary();
    await folder(place.path, MEMBERS);
    await folder(place.path, [["beside/other.txt", "not looked at"]]);
    expect(await read(place.path)).toEqual(MEMBERS);
  });

  it("folder that is the top directory itself", async () => {
    await using place = await temporary();
    await folder(place.path, MEMBERS);
    const inside = MEMBERS.map(([name, body]) => [name.replace("puppetdb-bak/", ""), body]);
    expect(await read(join(place.path, "puppetdb-bak"))).toEqual(inside);
  });

  it.each([
    ["tar.gz", tgz],
    ["zip", zip],
  ] as const)("reports progress in bytes of the file: %s", async (_name, build) => {
    await using place = await temporary();
    const path = join(place.path, "export");
    const bytes = await build(MEMBERS);
    await writeFile(path, bytes);
    let last: number[] = [];
    const options = { onProgress: (done: number, total: number) => (last = [done, total]) };
    for await (const { name } of openMembers(path, {}, options)) expect(name).toContain("puppetdb-bak/");
    expect(last).toEqual([bytes.length, bytes.length]);
  });

  it("can be read in part, or for some names only", async () => {
    await using place = await temporary();
    for (const [file, build] of [
      ["a.tgz", tgz],
      ["a.zip", zip],
    ] as const) {
      const path = join(place.path, file);
      await writeFile(path, await build(MEMBERS));
      const found: string[] = [];
      for await (const { name } of openMembers(path, {}, { only: (name) => name.includes("facts") })) {
        found.push(name);
        break;
      }
      expect(found).toEqual(["puppetdb-bak/facts/web-01.example.com.json"]);
    }
  });

  it("contain all 65,535 of a zip, the border between the old and the zip64 directory", async () => {
    await using place = await temporary();
    const path = join(place.path, "many.zip");
    const many = Array.from({ length: 65_535 }, (_, i) => [`f/${i}`, ""] as const);
    await writeFile(path, await zip(many));
    let count = 0;
    for await (const { name } of openMembers(path)) count += name.length > 0 ? 1 : 0;
    expect(count).toBe(65_535);
  });
});

describe("a path that is not an archive is rejected", () => {
  const cases: [string, Buffer, RegExp][] = [
    ["empty", Buffer.alloc(0), /^: not an archive \(tar, tar\.gz, zip\), but an empty file$/],
    ["zeros", Buffer.alloc(5000), /but a file of zero bytes$/],
    ["JSON", Buffer.from('\n[{"certname": "a"}]'), /but a JSON file$/],
    ["image", Buffer.from("89504e470d0a1a0a0000000d", "hex"), /but an image$/],
    ["text", Buffer.from("hello"), /but a text file$/],
    ["HTML", Buffer.from("<!doctype html><title>404</title>"), /but an HTML or XML file$/],
    ["bzip2", Buffer.from("BZh91AY&SY"), /but a bzip2 file$/],
    ["binary", Buffer.from("0102030405060708ff", "hex"), /starts with the bytes 0102030405060708$/],
    ["gzip'd JSON", gzipSync('{"a": 1}'), /^: a gzip file, but not an archive: inside is a JSON file$/],
    ["gzip'd nothing", gzipSync(""), /inside is an empty file$/],
    ["gzip twice", gzipSync(gzipSync("x".repeat(2000))), /inside is a gzip file$/],
  ];
  it.each(cases)("%s", async (_name, bytes, message) => {
    expect(await failure(bytes)).toMatch(message);
  });

  it("missing file", async () => {
    await using place = await temporary();
    expect(await failureOf(join(place.path, "none.tgz"))).toBe(": no such file or directory");
  });

  it.skipIf(process.platform === "win32")("no permission", async () => {
    await using place = await temporary();
    const path = join(place.path, "secret.tgz");
    await writeFile(path, await tgz(MEMBERS));
    await chmod(place.path, 0o755);
    await chmod(path, 0);
    expect(await withoutRoot(() => failureOf(path))).toBe(": permission denied");
  });

  it("folder of something else", async () => {
    await using place = await temporary();
    await folder(place.path, [["photos/a.txt", "a"]]);
    expect(await failureOf(place.path)).toMatch(/not an unpacked archive: no puppetdb-bak\/export-metadata\.json/);
  });

  it.skipIf(process.platform === "win32")("pipe", async () => {
    await using place = await temporary();
    const path = join(place.path, "pipe");
    execFileSync("mkfifo", [path]);
    expect(await failureOf(path)).toMatch(/neither a file nor a directory/);
  });
});

describe("damaged archives", () => {
  const last = /in or after member "puppetdb-bak\/facts\/web-01\.example\.com\.json"$/;
  const cases: [string, () => Promise<Buffer>, RegExp][] = [
    [
      "gzip cut in the middle",
      async () => half(await tgz(noise())),
      /^: cut off: the gzip data ends too early, by byte \d+ of \d+ in or after member "puppetdb-bak/,
    ],
    [
      "gzip without its last byte",
      async () => (await tgz(MEMBERS)).subarray(0, -1),
      /^: cut off: the gzip data ends too early/,
    ],
    ["gzip header alone", async () => (await tgz(MEMBERS)).subarray(0, 10), /cut off: .* before the first member$/],
    ["wrong checksum", async () => fromEnd(await tgz(MEMBERS), 8), /^: damaged gzip data: the checksum does not match/],
    ["wrong length", async () => fromEnd(await tgz(MEMBERS), 4), /^: damaged gzip data: the length does not match/],
    ["damage in the deflate data", async () => overwrite(await tgz(noise()), 3000), /^: damaged (?:gzip|tar) data/],
    [
      "tar cut inside a member",
      async () => (await tar(noise())).subarray(0, 4096 + 100),
      /^: cut off: the tar data ends too early, at byte 4196 in or after member/,
    ],
    ["tar cut between members", async () => (await tar(MEMBERS)).subarray(0, -1024), last],
    [
      "tar with a broken header",
      async () => flip(await tar(MEMBERS), 1024 + 3),
      /^: damaged tar data, by byte \d+ unpacked in or after member "puppetdb-bak\/export-metadata\.json"$/,
    ],
    [
      "zip cut",
      async () => half(await zip(noise())),
      /^: damaged zip: truncated, the directory at its end is missing$/,
    ],
    [
      "zip with a damaged member",
      async () => overwrite(await zip(noise()), 3000),
      /^: damaged zip: member "puppetdb-bak\/facts\/noise\.json" /,
    ],
    [
      "zip with a wrong checksum",
      async () => flip(await zip(MEMBERS), centralAt(await zip(MEMBERS)) + 16),
      /member "puppetdb-bak\/export-metadata\.json" does not match its size and checksum$/,
    ],
    [
      "zip with a broken directory",
      async () => flip(await zip(MEMBERS), centralAt(await zip(MEMBERS))),
      /^: damaged zip: its directory is broken/,
    ],
    [
      "zip that announces more members than fit",
      async () => announce(await zip(MEMBERS), 60_000),
      /^: damaged zip: its directory of 60000 members at byte \d+ does not fit/,
    ],
    [
      "zip without its beginning",
      async () => Buffer.concat([Buffer.from("PK\x03\x04"), (await zip(MEMBERS)).subarray(-60)]),
      /^: damaged zip: /,
    ],
  ];
  it.each(cases)("%s", async (_name, build, message) => {
    expect(await failure(await build())).toMatch(message);
  });
});

function dir(name: string): Entry {
  return { name, type: "directory" };
}

/** Members that do not compress, so that a byte in the middle of the file is a byte of a member. */
function noise(): (readonly [string, string])[] {
  let state = 1;
  const letters = Array.from({ length: 8000 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  });
  return [
    ["puppetdb-bak/export-metadata.json", METADATA],
    ["puppetdb-bak/facts/noise.json", letters.join("")],
    ["puppetdb-bak/facts/after.json", "{}"],
  ];
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

function fromEnd(bytes: Buffer, distance: number): Buffer {
  return flip(bytes, bytes.length - distance);
}

function overwrite(bytes: Buffer, at: number): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(64, 0xff), bytes.subarray(at + 64)]);
}

function splitGzip(bytes: Buffer): Buffer {
  const plain = gunzipSync(bytes);
  return Buffer.concat([gzipSync(plain.subarray(0, 700)), gzipSync(plain.subarray(700))]);
}

function centralAt(bytes: Buffer): number {
  return bytes.readUInt32LE(bytes.length - 6);
}

/** The number of members in a zip's end record, changed. */
function announce(bytes: Buffer, members: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt16LE(members, bytes.length - 12);
  return changed;
}
