import { hash } from "node:crypto";
import { readArchive } from "#storage/archive/contents.ts";

/**
 * The least that is done with the commands of an archive: they are read, parsed, and digested as content is recognised.
 * @returns how many there are
 */
export async function parseArchive(archive: string): Promise<number> {
  let commands = 0;
  for await (const { payload } of readArchive(archive, {})) {
    JSON.parse(Buffer.from(payload).toString());
    hash("sha1", payload);
    commands++;
  }
  return commands;
}
