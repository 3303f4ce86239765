import { randomUUID } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeDurably } from "../durable-file.ts";

/** The identity of the queue in a folder, a UUID; a new queue gets one. */
export async function identityOf(folder: string): Promise<string> {
  const path = join(folder, "identity");
  const known = await readFile(path, "utf8").catch(() => "");
  if (/^[0-9a-f-]{36}\n$/.test(known)) return known.trim();
  const identity = randomUUID();
  const file = await open(path, "w");
  await writeDurably(file, [Buffer.from(`${identity}\n`)], 0);
  await file.close();
  await syncFolder(folder);
  return identity;
}
