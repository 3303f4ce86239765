import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { version } from "#app/version.ts";
import { root } from "../executable/places.ts";
import type { Target } from "../executable/targets.ts";
import { cpioPieces } from "./cpio.ts";
import type { ReleaseFiles, ReleaseOptions } from "./files.ts";
import { type InstalledFile, installedFiles, places } from "./installed.ts";
import { binary, int16, int32, rpmHeader, type TagValue, text, texts, translated } from "./rpm-header.ts";
import { xzFile } from "./xz.ts";

/*
 * An RPM package, written without rpmbuild, which few machines have. EL 8 (rpm 4.14) to 10 read it: its digests are SHA-256,
 * its payload is cpio compressed by xz. The format: https://rpm-software-management.github.io/rpm/manual/format_v4.html
 */

/** Red Hat's names of our targets' architectures, and their numbers in the lead. */
const architectures: Readonly<Record<string, readonly [name: string, number: number]>> = {
  "linux-x64": ["x86_64", 1],
  "linux-arm64": ["aarch64", 19],
};

const RELEASE = "1";

const DESCRIPTION = `Stores facts, catalogs and reports and answers queries in PQL, with PuppetDB's
interface. One program with its database inside.`;

/** Directories of the package itself; others belong to packages of the system. */
const directories: readonly PackagedFile[] = [
  { path: "etc/census", mode: 0o40755 },
  { path: "etc/census/conf.d", mode: 0o40755 },
  { path: "usr/share/census", mode: 0o40755 },
  { path: "usr/share/doc/census", mode: 0o40755 },
  { path: "usr/share/licenses/census", mode: 0o40755 },
  { path: "var/lib/census", mode: 0o40700, owner: "census" },
  { path: "var/log/census", mode: 0o40750, owner: "census" },
];

interface PackagedFile {
  readonly path: string;
  /** With the bits of the file's type. */
  readonly mode: number;
  readonly owner?: string;
  readonly kind?: InstalledFile["kind"];
  /** Absent: a directory. */
  readonly content?: Uint8Array;
}

/** RPMFILE_*: configuration that an upgrade does not replace, documents, licences. */
const fileFlags = { configuration: (1 << 0) | (1 << 4), document: 1 << 1, licence: 1 << 7 } as const;

/** RPMSENSE_*: how a version is compared, and where a requirement comes from. */
const sense = {
  any: 0,
  equal: 1 << 3,
  upTo: (1 << 1) | (1 << 3),
  rpmlib: 1 << 24,
  script: 1 << 8,
  pre: 1 << 9,
} as const;

type Requirement = readonly [name: string, flags: number, version: string];

const requirements: readonly Requirement[] = [
  ["/bin/sh", sense.script, ""],
  ["libc.so.6(GLIBC_2.28)(64bit)", sense.any, ""],
  ["libstdc++.so.6()(64bit)", sense.any, ""],
  ["logrotate", sense.any, ""],
  ["rpmlib(CompressedFileNames)", sense.rpmlib | sense.upTo, "3.0.4-1"],
  ["rpmlib(FileDigests)", sense.rpmlib | sense.upTo, "4.6.0-1"],
  ["rpmlib(PayloadFilesHavePrefix)", sense.rpmlib | sense.upTo, "4.0-1"],
  ["rpmlib(PayloadIsXz)", sense.rpmlib | sense.upTo, "5.2-1"],
  ["shadow-utils", sense.pre, ""],
];

const scripts = [
  { name: "pre", script: 1023, program: 1085 },
  { name: "post", script: 1024, program: 1086 },
  { name: "preun", script: 1025, program: 1087 },
  { name: "postun", script: 1026, program: 1088 },
] as const;

/** The file name of a target's RPM package; undefined: none. */
export function rpmName({ name }: Target): string | undefined {
  const [architecture] = architectures[name] ?? [];
  return architecture === undefined ? undefined : `census-${version}-${RELEASE}.${architecture}.rpm`;
}

/**
 * Builds the RPM package of a target.
 * @throws CensusError "unavailable" if `xz` is not installed
 */
export function writeRpm(path: string, target: Target, files: ReleaseFiles, { seconds, level }: ReleaseOptions): void {
  const [architecture = "", number = 0] = architectures[target.name] ?? [];
  const packaged = packagedFiles(files);
  const pieces = cpioPieces(
    packaged.map(({ path: name, mode, content = Buffer.alloc(0) }, index) => ({
      path: name,
      mode,
      inode: index + 1,
      seconds,
      content,
    })),
  );
  const payload = xzFile(pieces, level);
  const header = rpmHeader(
    63,
    new Map([
      ...descriptionTags(architecture, seconds),
      ...relationTags(architecture),
      ...scriptTags(),
      ...fileTags(packaged, seconds),
      ...payloadTags(payload, level),
    ]),
  );
  const unpacked = pieces.reduce((sum, piece) => sum + piece.length, 0);
  writeFileSync(path, Buffer.concat([lead(number), signature(header, payload, unpacked), header, payload]));
}

function packagedFiles(files: ReleaseFiles): PackagedFile[] {
  const regular = installedFiles(files, places.redHat).map(({ path, content, isProgram, kind }): PackagedFile => ({
    path,
    mode: isProgram === true ? 0o100755 : 0o100644,
    content: typeof content === "string" ? Buffer.from(content) : content,
    ...(kind === undefined ? {} : { kind }),
  }));
  const inside = new Set(
    regular.map(({ path }) => dirname(path)).filter((path) => path.startsWith("usr/share/doc/census/")),
  );
  const documents = [...inside].map((path): PackagedFile => ({ path, mode: 0o40755 }));
  // rpm searches paths by halving.
  return [...directories, ...documents, ...regular].sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Tags = readonly (readonly [tag: number, value: TagValue])[];

function descriptionTags(architecture: string, seconds: number): Tags {
  return [
    [100, texts("C")],
    [1000, text("census")],
    [1001, text(version)],
    [1002, text(RELEASE)],
    [1004, translated("Configuration inventory of a fleet of nodes")],
    [1005, translated(DESCRIPTION)],
    [1006, int32(seconds)],
    [1007, text("localhost")],
    [1014, text("Apache-2.0")],
    [1015, text("Census <census@localhost>")],
    [1016, translated("System Environment/Daemons")],
    [1021, text("linux")],
    [1022, text(architecture)],
    // Without it the package would be one of sources.
    [1044, text(`census-${version}-${RELEASE}.src.rpm`)],
    [1064, text("4.14.3")],
    // The history of the project has more.
    [1080, int32(seconds)],
    [1081, texts(`Census <census@localhost> - ${version}-${RELEASE}`)],
    [1082, texts(`- Release ${version}`)],
    [1132, text(`${architecture}-redhat-linux-gnu`)],
    [5062, text("utf-8")],
  ];
}

function relationTags(architecture: string): Tags {
  const bits = architecture === "x86_64" ? "x86-64" : "aarch-64";
  const own = `${version}-${RELEASE}`;
  const configuration = "config(census)";
  const provided = ["census", `census(${bits})`, configuration];
  return [
    [1047, texts(...provided)],
    [1112, int32(...provided.map(() => sense.equal))],
    [1113, texts(...provided.map(() => own))],
    [1049, texts(...requirements.map(([name]) => name))],
    [1048, int32(...requirements.map(([, flags]) => flags))],
    [1050, texts(...requirements.map(([, , needed]) => needed))],
  ];
}

function scriptTags(): Tags {
  return scripts.flatMap(({ name, script, program }) => [
    [script, text(readFileSync(join(root, "packaging/rpm", name), "utf8"))] as const,
    [program, text("/bin/sh")] as const,
  ]);
}

function fileTags(files: readonly PackagedFile[], seconds: number): Tags {
  const owners = files.map(({ owner = "root" }) => owner);
  const directoryNames = [...new Set(files.map(({ path }) => `/${dirname(path)}/`))].sort();
  const each = <T>(read: (file: PackagedFile, index: number) => T): T[] => files.map(read);
  const sizesOf = each(({ content }) => content?.length ?? 4096);
  return [
    [1009, int32(sizesOf.reduce((sum, size) => sum + size, 0))],
    [1028, int32(...sizesOf)],
    [1030, int16(...each(({ mode }) => mode))],
    [1033, int16(...each(() => 0))],
    [1034, int32(...each(() => seconds))],
    [1035, texts(...each(({ content }) => (content === undefined ? "" : sha256(content))))],
    [1036, texts(...each(() => ""))],
    [1037, int32(...each(({ kind }) => (kind === undefined ? 0 : fileFlags[kind])))],
    [1039, texts(...owners)],
    [1040, texts(...owners)],
    // Verify everything.
    [1045, int32(...each(() => 0xffffffff))],
    [1095, int32(...each(() => 1))],
    [1096, int32(...each((_, index) => index + 1))],
    [1097, texts(...each(() => ""))],
    [1116, int32(...each(({ path }) => directoryNames.indexOf(`/${dirname(path)}/`)))],
    [1117, texts(...each(({ path }) => basename(path)))],
    [1118, texts(...directoryNames)],
    // The digests of files are SHA-256.
    [5011, int32(8)],
  ];
}

function payloadTags(payload: Buffer, level: number): Tags {
  return [
    [1124, text("cpio")],
    [1125, text("xz")],
    [1126, text(String(level))],
    [5092, texts(sha256(payload))],
    [5093, int32(8)],
  ];
}

/** What other programs recognise the file by; rpm itself reads the header. */
function lead(architecture: number): Buffer {
  const bytes = Buffer.alloc(96);
  bytes.set([0xed, 0xab, 0xee, 0xdb, 3, 0]);
  bytes.writeUInt16BE(architecture, 8);
  bytes.write(`census-${version}-${RELEASE}`, 10, "latin1");
  bytes.writeUInt16BE(1, 76);
  bytes.writeUInt16BE(5, 78);
  return bytes;
}

/** Digests and sizes of header and payload, which rpm checks first. A signature can be added to them later. */
function signature(header: Buffer, payload: Buffer, unpacked: number): Buffer {
  const tags = new Map<number, TagValue>([
    [269, text(createHash("sha1").update(header).digest("hex"))],
    [273, text(sha256(header))],
    [1000, int32(header.length + payload.length)],
    [1004, binary(createHash("md5").update(header).update(payload).digest())],
    [1007, int32(unpacked)],
  ]);
  const bytes = rpmHeader(62, tags);
  return Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
