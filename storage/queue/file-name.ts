import { hash } from "node:crypto";
import type { Timestamp } from "../time.ts";
import { commandNames, commands, type CommandName } from "../wire/commands.ts";
import type { NewEntry, QueueEntry } from "./entry.ts";

/*
 * The name of a command's file outside of the queue, as PuppetDB names it in its queue and in its dead letter office,
 * `<id>-<received ms><offset to the producer timestamp>_<token>_<version>_<certname>.json[.gz]` (reference/commands.md §2.1).
 */

/** The name of a command's file. */
export function fileName(entry: QueueEntry): string {
  const received = entry.received / 1000n;
  const { producerTimestamp: produced } = entry;
  const offset = produced === undefined ? "" : signed(produced / 1000n - received);
  const head = `${received}${offset}_${commands[entry.command].fileToken}_${entry.version}_`;
  const tail = entry.encoding === "gzip" ? ".json.gz" : ".json";
  // Every file system supports names of 235 bytes.
  return `${entry.id}-${head}${certId(entry.certname, 235 - Buffer.byteLength(head + tail))}${tail}`;
}

function signed(offset: bigint): string {
  return offset < 0n ? String(offset) : `+${offset}`;
}

/** The certname with characters replaced that file names cannot contain; followed by its hash where it has changed. */
function certId(certname: string, room: number): string {
  const safe = certname.replaceAll(/[_/\\:\0]/g, "-");
  if (safe === certname && Buffer.byteLength(safe) <= room) return safe;
  const mark = `_${hash("sha1", certname)}`;
  const characters = Array.from(safe);
  while (Buffer.byteLength(characters.join("")) > room - mark.length) characters.pop();
  return characters.join("") + mark;
}

const NAME = /^(\d+)-(\d+)([+-]\d+)?_([a-z-]+)_(\d+)_(.*?)\.json(\.gz)?$/s;

/** The command in a file's name; undefined for any other name. */
export function readFileName(name: string): (NewEntry & { readonly id: number }) | undefined {
  const [, id, received, offset, token, version, certId, gzip] = NAME.exec(name) ?? [];
  const command = commandNames.find((known) => commands[known].fileToken === token);
  if (command === undefined || received === undefined || certId === undefined) return undefined;
  return {
    id: Number(id),
    command,
    version: Number(version),
    certname: certId.replace(/_[0-9a-f]{40}$/, ""),
    received: micros(received),
    faults: [],
    ...(offset === undefined ? {} : { producerTimestamp: micros(received) + micros(offset) }),
    ...(gzip === undefined ? {} : { encoding: "gzip" as const }),
  };
}

function micros(ms: string): Timestamp {
  return BigInt(ms) * 1000n;
}

/** The folder of a command in the dead letter office. */
export function folderName(command: CommandName): string {
  return command.replaceAll(" ", "_");
}
