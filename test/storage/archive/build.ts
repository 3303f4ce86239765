import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { ZipArchive } from "archiver";
import { pack, type Header } from "tar-stream";
import { expect } from "vitest";
import { openMembers, type ArchiveLimits } from "#storage/archive/members.ts";
import { CensusError } from "#storage/errors.ts";

/** An entry as tests write it: a name and content, or a tar header of its own. */
export type Entry = readonly [name: string, body: string] | (Partial<Header> & { name: string });

export const METADATA = JSON.stringify({
  timestamp: "2026-11-21T00:11:46.377Z",
  command_versions: {
    replace_catalog: 9,
    store_report: 8,
    replace_facts: 5,
    configure_expiration: 1,
    replace_catalog_inputs: 1,
  },
});

export const HASH = "2cd9ded54651a94a0e1940f3460d1cd26d19438f";

/** A small export. */
export const MEMBERS = [
  ["puppetdb-bak/export-metadata.json", METADATA],
  [`puppetdb-bak/catalogs/web-01.example.com-${HASH}.json`, '{"certname":"web-01.example.com"}'],
  [`puppetdb-bak/reports/empty-${HASH}.json`, ""],
  ["puppetdb-bak/facts/web-01.example.com.json", '{"values":{"größe":"東京"}}'],
] as const;

/** All members of an archive as text. */
export async function read(path: string, limits?: Partial<ArchiveLimits>): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const { name, body } of openMembers(path, limits)) found.push([name, body.toString()]);
  return found;
}

/** Reads bytes as an archive; the message of the error it ends with. */
export async function failure(bytes: Buffer, limits?: Partial<ArchiveLimits>): Promise<string> {
  await using place = await temporary();
  const path = join(place.path, "site.tgz");
  await writeFile(path, bytes);
  // awaited here: the folder goes when this function ends
  return await failureOf(path, limits);
}

/** The message of the error that reading ends with, without the path it begins with. */
export async function failureOf(path: string, limits?: Partial<ArchiveLimits>): Promise<string> {
  const error: unknown = await read(path, limits).then(
    () => "no error",
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CensusError);
  expect(error).toMatchObject({ code: "bad-file" });
  const { message } = error as CensusError;
  expect(message).not.toContain("\n");
  expect(message.startsWith(path)).toBe(true);
  return message.slice(path.length);
}

/** A new folder that vanishes with the returned object. */
export async function temporary(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "census-archive-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export async function tar(entries: readonly Entry[]): Promise<Buffer> {
  const packer = pack();
  for (const entry of entries) {
    if ("name" in entry) packer.entry(entry, "");
    else packer.entry({ name: entry[0] }, entry[1]);
  }
  packer.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of packer as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function tgz(entries: readonly Entry[]): Promise<Buffer> {
  return gzipSync(await tar(entries));
}

export async function zip(entries: readonly (readonly [string, string])[], comment = ""): Promise<Buffer> {
  const archive = new ZipArchive({ comment, zlib: { level: 9 } });
  for (const [name, body] of entries) archive.append(Buffer.from(body), { name });
  archive.finalize().catch(() => {});
  return buffer(archive);
}

/** Writes the entries as files below `path`. */
export async function folder(path: string, entries: readonly (readonly [string, string])[]): Promise<void> {
  for (const [name, body] of entries) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), body);
  }
}

/** The buffer with one byte changed. */
export function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at);
  return changed;
}

/** What the directory of {@link rawZip} shall say. */
export interface RawZip {
  name?: string;
  mode?: number;
  flags?: number;
  method?: number;
  size?: number;
}

/** A zip of one stored member `{}`, with the given values in its directory. */
export function rawZip({ name = "a", mode = 0o100644, flags = 0, method = 0, size = 2 }: RawZip): Buffer {
  const path = Buffer.from(name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt32LE(2, 18);
  local.writeUInt32LE(2, 22);
  local.writeUInt16LE(path.length, 26);
  const start = 30 + path.length + 2;
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(3 << 8, 4);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(2, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(path.length, 28);
  central.writeUInt32LE((mode << 16) >>> 0, 38);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + path.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, path, Buffer.from("{}"), central, path, end]);
}
