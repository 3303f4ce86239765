import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { checksumsFile } from "#app/check/installed-files.ts";
import { CensusError } from "#storage/errors.ts";
import { ownTarget, type Target } from "../executable/targets.ts";
import type { ReleaseFiles } from "./files.ts";
import { checksums } from "./installed.ts";
import { directoriesOf, type TarEntry } from "./tar.ts";

/** The user in the image; the volume belongs to it. */
export const imageUser = 10_001;

/** Where the image keeps its data. */
export const imageData = "/var/lib/census";

/** Where an architecture's libraries are in the image, and its loader, whose path is written in every program. */
interface Libraries {
  readonly folder: string;
  readonly loader: string;
  /** Where Debian's packages for other architectures have them (libc6-arm64-cross, libstdc++6-arm64-cross). */
  readonly cross: string;
}

const libraries: Readonly<Record<string, Libraries>> = {
  "linux-x64": {
    folder: "lib/x86_64-linux-gnu",
    loader: "lib64/ld-linux-x86-64.so.2",
    cross: "/usr/x86_64-linux-gnu/lib",
  },
  "linux-arm64": {
    folder: "lib/aarch64-linux-gnu",
    loader: "lib/ld-linux-aarch64.so.1",
    cross: "/usr/aarch64-linux-gnu/lib",
  },
};

/** What the program, the engine's library and these libraries need. */
const needed = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1"];

const documents = "usr/share/licenses";

/**
 * All files of the image: the program, the C and C++ libraries, certificates of public authorities, one user.
 * @throws CensusError "unavailable" if this machine has no libraries for the target
 */
export function imageEntries(target: Target, files: ReleaseFiles): TarEntry[] {
  const program: TarEntry = { path: "usr/bin/census", content: files.program, mode: 0o755 };
  const regular: TarEntry[] = [
    file("etc/passwd", `root:x:0:0::/:/sbin/nologin\ncensus:x:${imageUser}:${imageUser}::${imageData}:/sbin/nologin\n`),
    file("etc/group", `root:x:0:\ncensus:x:${imageUser}:\n`),
    file("etc/nsswitch.conf", "hosts: files dns\n"),
    file("etc/ssl/certs/ca-certificates.crt", `${rootCertificates.join("\n")}\n`),
    ...systemLibraries(target),
    program,
    file(`usr/share/census/${checksumsFile}`, checksums([{ path: program.path, content: files.program }], "/")),
    file(`${documents}/census/LICENSES.txt`, files.licences),
    file(`${documents}/census/sbom.cdx.json`, files.bill),
    ...["libc6", "libstdc++6"].flatMap((name) => copyright(name)),
  ];
  const owned = { uid: imageUser, gid: imageUser };
  const above = directoriesOf([...regular.map(({ path }) => path), "etc/census/conf.d/", "var/lib/"]);
  return [
    ...above.map((path): TarEntry => ({ path: `${path}/`, mode: 0o755 })),
    { path: "tmp/", mode: 0o1777 },
    { path: `${imageData.slice(1)}/`, mode: 0o700, ...owned },
    ...regular,
  ];
}

/** Whether this machine has the libraries of a target. */
export function hasLibraries(target: Target): boolean {
  const places = libraries[target.name];
  return places !== undefined && needed.every((name) => librarySource(target, places, name) !== undefined);
}

function file(path: string, content: string | Uint8Array): TarEntry {
  return { path, content, mode: 0o644 };
}

function systemLibraries(target: Target): TarEntry[] {
  const places = libraries[target.name];
  if (places === undefined) throw new CensusError("unavailable", `${target.name} has no image`);
  const { folder, loader } = places;
  const loaderName = loader.slice(loader.lastIndexOf("/") + 1);
  return [...needed, loaderName].map((name) => ({
    path: name === loaderName ? loader : `${folder}/${name}`,
    content: library(target, places, name),
    mode: 0o755,
  }));
}

function librarySource(target: Target, { cross }: Libraries, name: string): string | undefined {
  const path = target === ownTarget ? loaderCache().get(name) : join(cross, name);
  return path === undefined || !existsSync(path) ? undefined : realpathSync(path);
}

function library(target: Target, places: Libraries, name: string): Buffer {
  const path = librarySource(target, places, name);
  if (path === undefined) throw new CensusError("unavailable", `this machine has no ${name} for ${target.name}`);
  return readFileSync(path);
}

/** The libraries of this machine by name; the first is that of its own architecture. */
function loaderCache(): Map<string, string> {
  const env = { PATH: "/sbin:/usr/sbin:/bin:/usr/bin" };
  const lines = execFileSync("ldconfig", ["-p"], { encoding: "utf8", env }).matchAll(/^\t(\S+) \(.*=> (\S+)$/gm);
  return new Map([...lines].map(([, name = "", path = ""]): [string, string] => [name, path]).reverse());
}

/** The licence of a Debian package of this machine. */
function copyright(name: string): TarEntry[] {
  const path = `/usr/share/doc/${name}/copyright`;
  return existsSync(path) ? [file(`${documents}/${name}/copyright`, readFileSync(path))] : [];
}
