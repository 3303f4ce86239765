import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { posix } from "node:path";

/** How much memory the process may use, and where the limit comes from. */
export interface MemoryLimit {
  readonly bytes: number;
  /** For messages: `this machine`, `/sys/fs/cgroup/census/memory.max`, `memory-limit`. */
  readonly source: string;
}

/** A hierarchy of control groups that the process belongs to. */
interface Hierarchy {
  /** Folder that its root, or a part of it, is mounted at. */
  readonly mountPoint: string;
  /** The process's group, below the mount point. */
  readonly group: string;
  /** Reads the limits of one group, in bytes, by the name of their file. */
  readonly limitsOf: (read: Read, folder: string) => Iterable<readonly [file: string, bytes: number]>;
}

/** Text of a file; undefined when it cannot be read. */
type Read = (path: string) => string | undefined;

/**
 * The minimum of the machine's memory and the limits of the process's control groups, version 1 and 2, including the
 * groups above its own.
 * @param root folder used as `/`
 */
export function detectMemoryLimit(root = "/", machine = totalmem()): MemoryLimit {
  const read: Read = (path) => {
    try {
      return readFileSync(posix.join(root, path), "utf8");
    } catch {
      return undefined;
    }
  };
  let least: MemoryLimit = { bytes: machine, source: "this machine" };
  for (const { mountPoint, group, limitsOf } of hierarchies(read)) {
    for (const folder of upwards(mountPoint, group)) {
      for (const [file, bytes] of limitsOf(read, folder)) {
        if (bytes > 0 && bytes < least.bytes) least = { bytes, source: posix.join(folder, file) };
      }
    }
  }
  return least;
}

function hierarchies(read: Read): Hierarchy[] {
  // hierarchy-ID:controllers:path
  const groups = (read("/proc/self/cgroup") ?? "").split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    return controllers === undefined || path === undefined ? [] : [{ controllers: controllers.split(","), path }];
  });
  return mounts(read).flatMap(({ type, options, root, mountPoint }) => {
    const isFirst = type === "cgroup" && options.includes("memory");
    if (!isFirst && type !== "cgroup2") return [];
    const own = groups.find(({ controllers }) => controllers.includes(isFirst ? "memory" : ""));
    if (own === undefined) return [];
    return [{ mountPoint, group: below(root, own.path), limitsOf: isFirst ? firstLimits : secondLimits }];
  });
}

/** ID, parent, device, root, mount point, options, optional fields, `-`, type, source, options of the file system. */
function mounts(read: Read): { type: string; options: string[]; root: string; mountPoint: string }[] {
  return (read("/proc/self/mountinfo") ?? "").split("\n").flatMap((line) => {
    const [, root, mountPoint, type, options] = /^\S+ \S+ \S+ (\S+) (\S+) .*? - (\S+) \S+ (\S+)/.exec(line) ?? [];
    if (root === undefined || mountPoint === undefined || type === undefined || options === undefined) return [];
    return [{ type, options: options.split(","), root: unescaped(root), mountPoint: unescaped(mountPoint) }];
  });
}

/** Spaces and the like are written as octal numbers. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** A container often sees its own group as the root of the mount, under its path on the host. */
function below(root: string, path: string): string {
  if (root === "/") return path;
  if (path === root) return "/";
  return path.startsWith(`${root}/`) ? path.slice(root.length) : "/";
}

/** The group's folder, those above it and the mount point. */
function* upwards(mountPoint: string, group: string): Generator<string> {
  for (let path = posix.normalize(group); ; path = posix.dirname(path)) {
    yield posix.join(mountPoint, path);
    if (path === "/" || path === ".") return;
  }
}

function* firstLimits(read: Read, folder: string): Generator<readonly [string, number]> {
  const file = "memory.limit_in_bytes";
  yield [file, bytesOf(read(posix.join(folder, file)))];
  // Includes groups above the mount point.
  const stat = /^hierarchical_memory_limit (\d+)$/m.exec(read(posix.join(folder, "memory.stat")) ?? "");
  yield ["memory.stat", bytesOf(stat?.[1])];
}

function* secondLimits(read: Read, folder: string): Generator<readonly [string, number]> {
  for (const file of ["memory.max", "memory.high"]) yield [file, bytesOf(read(posix.join(folder, file)))];
}

/** Infinity for `max` and for anything that is not a number. */
function bytesOf(text: string | undefined): number {
  const value = text?.trim() ?? "";
  return /^\d+$/.test(value) ? Number(value) : Infinity;
}
