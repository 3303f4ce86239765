import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { CensusError } from "#storage/errors.ts";
import { cache, root } from "./places.ts";
import type { RegistryPackage } from "./targets.ts";

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
}

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;

/** The package of the lock file. */
export function lockedPackage(name: string): RegistryPackage {
  const locked = lock.packages[`node_modules/${name}`];
  if (locked === undefined) throw new CensusError("not-found", `package-lock.json has no ${name}`);
  return { name, version: locked.version };
}

/**
 * The directory with the files of a package: the installed one, or one fetched from npm's configured registry and checked
 * against package-lock.json or the target.
 * @throws CensusError "unavailable" if the registry cannot be reached or lacks the package; "bad-file" if its checksum
 * differs
 */
export async function packageFolder(wanted: RegistryPackage): Promise<string> {
  const { name, version } = wanted;
  const installed = join(root, "node_modules", name);
  if (installedVersion(installed) === version) return installed;
  const folder = join(cache, "packages", `${name.replaceAll("/", "+")}@${version}`);
  if (!existsSync(folder)) await fetchInto(folder, wanted);
  return folder;
}

function installedVersion(folder: string): string | undefined {
  const file = join(folder, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : undefined;
}

async function fetchInto(folder: string, wanted: RegistryPackage): Promise<void> {
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  try {
    const archive = fetchArchive(made, wanted);
    await unpack(archive, made);
    rmSync(archive);
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** @returns the path of the package's tar file */
function fetchArchive(folder: string, { name, version, integrity = lockedIntegrity(name) }: RegistryPackage): string {
  const npm = process.env["npm_execpath"];
  const words = ["pack", "--silent", "--json", "--pack-destination", folder, `${name}@${version}`];
  const run = npm === undefined ? spawnSync("npm", words) : spawnSync(process.execPath, [npm, ...words]);
  if (run.status !== 0) {
    throw new CensusError("unavailable", `${name} ${version} could not be fetched from the registry`);
  }
  const [packed] = JSON.parse(run.stdout.toString()) as { filename: string }[];
  const archive = join(folder, packed?.filename ?? "");
  const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (found !== integrity) throw new CensusError("bad-file", `${name} ${version}: ${found} instead of ${integrity}`);
  return archive;
}

function lockedIntegrity(name: string): string | undefined {
  return lock.packages[`node_modules/${name}`]?.integrity;
}

/** Extracts `package/` without headers and manuals. */
async function unpack(archive: string, folder: string): Promise<void> {
  const entries = extract();
  const fed = pipeline(createReadStream(archive), createGunzip(), entries);
  for await (const entry of entries) {
    const path = entry.header.name.replace(/^package\//, "");
    if (entry.header.type !== "file" || /^(?:include|share)\//.test(path) || path.split("/").includes("..")) {
      entry.resume();
      continue;
    }
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    const pieces: Uint8Array[] = [];
    for await (const piece of entry) pieces.push(piece as Uint8Array);
    writeFileSync(target, Buffer.concat(pieces), { mode: (entry.header.mode ?? 0o644) & 0o755 });
  }
  await fed;
}
