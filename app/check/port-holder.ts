import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A process that listens on a port. */
export interface PortHolder {
  readonly pid: number;
  /** Its name. */
  readonly command: string;
  /** Whether it is `census serve`. */
  readonly isService: boolean;
}

/** The state of a listening socket in Linux' tables. */
const LISTENING = "0A";

/** The process that listens on a TCP port of this machine, if Linux shows it to this user. */
export function holderOf(port: number): PortHolder | undefined {
  const sockets = new Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listeningOn(port, table)));
  if (sockets.size === 0) return undefined;
  for (const pid of list("/proc").filter((name) => /^\d+$/.test(name))) {
    const isHeld = list(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)));
    if (isHeld) return described(Number(pid));
  }
  return undefined;
}

/** What descriptors of these sockets are links to: `socket:[12345]`. */
function listeningOn(port: number, table: string): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return fileText(table)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => state === LISTENING && local.endsWith(`:${wanted}`))
    .map(([, , , , , , , , , inode = ""]) => `socket:[${inode}]`);
}

function described(pid: number): PortHolder {
  const words = fileText(`/proc/${pid}/cmdline`).split("\0");
  const isService = words.includes("serve") && words.some((word) => /(?:^|\/)census[^/]*$|\/cli\/main\.ts$/.test(word));
  return { pid, command: fileText(`/proc/${pid}/comm`).trim(), isService };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
