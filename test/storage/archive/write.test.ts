import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { describe, expect, it } from "vitest";
import { memberName, writeArchive, writeArchiveFile } from "#storage/archive/write.ts";
import { type WrittenMember } from "#storage/archive/written-member.ts";
import { HASH, METADATA, read, temporary } from "./build.ts";

/** Bytes before the compressed ones. */
const GZIP_HEAD = 10;

const MTIME = new Date("2026-11-21T00:11:46.000Z");

const MEMBERS: readonly (readonly [string, string])[] = [
  ["puppetdb-bak/export-metadata.json", METADATA],
  [`puppetdb-bak/catalogs/${"long".repeat(80)}-${HASH}.json`, '{"a":1}'],
  [`puppetdb-bak/reports/größe.東京-${HASH}.json`, '{"größe":"東京"}'],
  [`puppetdb-bak/reports/größe.東京-${HASH}.json`, '{"the":"same name"}'],
  ["puppetdb-bak/facts/with/a slash.json", ""],
  ...Array.from({ length: 100 }, (_, i) => [`puppetdb-bak/facts/node-${i}.json`, "x".repeat(i * 500)] as const),
];

async function* members(list = MEMBERS): AsyncGenerator<WrittenMember> {
  for (const [i, [name, text]] of list.entries()) {
    yield await Promise.resolve({ name, body: i % 2 === 0 ? text : Buffer.from(text) });
  }
}

async function* failing(): AsyncGenerator<WrittenMember> {
  yield* members();
  throw new Error("the source broke");
}

async function* none(): AsyncGenerator<WrittenMember> {
  yield* await Promise.reject<WrittenMember[]>(new Error("there is no source"));
}

async function written(format: "tar.gz" | "zip", mtime = MTIME): Promise<Buffer> {
  const target = new PassThrough();
  const [bytes] = await Promise.all([buffer(target), writeArchive(target, members(), { format, mtime })]);
  return bytes;
}

async function headers(bytes: Buffer): Promise<Header[]> {
  const untar = extract();
  untar.end(gunzipSync(bytes));
  const found: Header[] = [];
  for await (const entry of untar) {
    found.push(entry.header);
    entry.resume();
  }
  return found;
}

describe("writing an archive", () => {
  it.each(["tar.gz", "zip"] as const)("%s contains the given members in their order", async (format) => {
    await using place = await temporary();
    const path = join(place.path, "export");
    await writeArchiveFile(path, members(), { format, mtime: MTIME });
    expect(await read(path)).toEqual(MEMBERS);
    expect(await readdir(place.path)).toEqual(["export"]);
  });

  it.each(["tar.gz", "zip"] as const)("%s is identical for the same members and time", async (format) => {
    expect((await written(format)).equals(await written(format))).toBe(true);
  });

  it("tar.gz contains only regular files of mode 0644, owner 0 and the given time (reference/archive.md §1)", async () => {
    for (const { type, mode, uid, gid, uname, gname, mtime } of await headers(await written("tar.gz"))) {
      expect([type, mode, uid, gid, uname, gname]).toEqual(["file", 0o644, 0, 0, "", ""]);
      expect(mtime).toEqual(MTIME);
    }
  });

  it("a large tar.gz is one gzip member, since PuppetDB reads only the first", async () => {
    const large = Array.from({ length: 5 }, (_, i): [string, string] => [`${i}.json`, `${i} and more `.repeat(99_999)]);
    const target = new PassThrough();
    const options = { format: "tar.gz", mtime: MTIME } as const;
    const [bytes] = await Promise.all([buffer(target), writeArchive(target, members(large), options)]);
    const tar = inflateRawSync(bytes.subarray(GZIP_HEAD));
    expect(tar.length).toBeGreaterThan(5_000_000);
    expect(tar.equals(gunzipSync(bytes))).toBe(true);
  });

  it.each(["tar.gz", "zip"] as const)(
    "%s contains each member's bytes, also if their memory is reused afterwards",
    async (format) => {
      await using place = await temporary();
      const path = join(place.path, `reused.${format}`);
      const sent = Array.from({ length: 40 }, (_, i): [string, string] => [
        `svc-bak/facts/${i}.json`,
        `{"n":${1000 + i}}`,
      ]);
      const reused = async function* (): AsyncGenerator<WrittenMember> {
        const memory = Buffer.alloc(10);
        for (const [name, body] of sent) {
          memory.write(body);
          yield { name, body: memory };
        }
      };
      await writeArchiveFile(path, reused(), { format, mtime: MTIME });
      expect(await read(path)).toEqual(sent);
    },
  );

  it("writes times that tar cannot contain as the last one that it can", async () => {
    const [first] = await headers(await written("tar.gz", new Date("2040-01-01T00:00:00Z")));
    expect(first?.mtime).toEqual(new Date("2038-01-19T03:14:07Z"));
  });

  it("replaces a file", async () => {
    await using place = await temporary();
    const path = join(place.path, "export.tgz");
    await writeFile(path, "old");
    await writeArchiveFile(path, members([["a", "b"]]), { format: "tar.gz", mtime: MTIME });
    expect(await read(path)).toEqual([["a", "b"]]);
  });

  const names: [string, string][] = [
    ["puppetdb-bak/facts/a.json", "puppetdb-bak/facts/a.json"],
    ["puppetdb-bak/facts/../../a.json", "puppetdb-bak/facts/%2E%2E/%2E%2E/a.json"],
    ["puppetdb-bak/facts/./..b.json", "puppetdb-bak/facts/%2E/..b.json"],
    ["puppetdb-bak/facts/a\\b\0c.json", "puppetdb-bak/facts/a%5Cb%00c.json"],
  ];
  it.each(names)("writes the name %j so that it can be read", async (name, expected) => {
    await using place = await temporary();
    const path = join(place.path, "export");
    expect(memberName(name)).toBe(expected);
    for (const format of ["tar.gz", "zip"] as const) {
      await writeArchiveFile(path, members([[name, "{}"]]), { format, mtime: MTIME });
      expect(await read(path)).toEqual([[expected, "{}"]]);
    }
  });
});

describe("a failure while writing", () => {
  it.each(["tar.gz", "zip"] as const)("of the members closes the target: %s", async (format) => {
    const target = new PassThrough();
    target.resume();
    await expect(writeArchive(target, failing(), { format, mtime: MTIME })).rejects.toThrow("the source broke");
    expect(target.destroyed).toBe(true);
    expect(target.writableFinished).toBe(false);
  });

  it.each(["tar.gz", "zip"] as const)("of the target ends the members: %s", async (format) => {
    let open = true;
    async function* endless(): AsyncGenerator<WrittenMember> {
      try {
        for (let i = 0; ; i++) yield await Promise.resolve({ name: `${i}`, body: `${Math.sin(i)}`.repeat(1000) });
      } finally {
        open = false;
      }
    }
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error("disk full")) });
    await expect(writeArchive(full, endless(), { format, mtime: MTIME })).rejects.toThrow("disk full");
    expect(open).toBe(false);
  });

  it("of the members keeps the old file and leaves no other", async () => {
    await using place = await temporary();
    const path = join(place.path, "export.tgz");
    await writeFile(path, "old");
    const options = { format: "tar.gz", mtime: MTIME } as const;
    await expect(writeArchiveFile(path, failing(), options)).rejects.toThrow(/^the source broke$/);
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(place.path)).toEqual(["export.tgz"]);
  });

  it("before the first byte leaves no file", async () => {
    await using place = await temporary();
    const options = { format: "tar.gz", mtime: MTIME } as const;
    await expect(writeArchiveFile(join(place.path, "a.tgz"), none(), options)).rejects.toThrow("there is no source");
    expect(await readdir(place.path)).toEqual([]);
  });

  it("names the file and the reason", async () => {
    await using place = await temporary();
    const nowhere = join(place.path, "none/export.tgz");
    const taken = join(place.path, "folder");
    await mkdir(join(taken, "full"), { recursive: true });
    const options = { format: "zip", mtime: MTIME } as const;
    await expect(writeArchiveFile(nowhere, members(), options)).rejects.toMatchObject({
      code: "bad-file",
      message: `${nowhere}: cannot be written: no such directory`,
    });
    await expect(writeArchiveFile(taken, members(), options)).rejects.toMatchObject({
      code: "bad-file",
      message: `${taken}: cannot be written: is a directory`,
    });
    expect(await readdir(place.path)).toEqual(["folder"]);
  });
});
