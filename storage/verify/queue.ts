import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Note } from "../durability/note.ts";
import { DeadLetters } from "../queue/dead-letters.ts";
import { queueFolder } from "../queue/folder.ts";
import { decodePostponed } from "../queue/postponed.ts";
import { readPosition } from "../queue/position.ts";
import { idsText, missingOf } from "../queue/recovery.ts";
import { isSegment, scanSegment } from "../queue/segment.ts";
import type { Stored } from "./open-stored.ts";
import type { AmountsRead, Report } from "./finding.ts";

const SAVED =
  "start the service: it keeps these bytes in queue/damaged. A command that was being written when the machine went down was not acknowledged; another one is lost";
const MISSING =
  "put the files back, or start once with --accept-loss: these commands are lost unless nodes send them again";

/** What the queue is compared with. */
export interface QueueExpected {
  readonly note: Note | undefined;
  /** Undefined where the database cannot be read. */
  readonly stored: Stored | undefined;
}

/** Reads the queue, postponed commands and dead letters. */
export async function verifyQueue(
  directory: string,
  { note, stored }: QueueExpected,
  report: Report,
): Promise<Pick<AmountsRead, "commands" | "postponed" | "deadLetters">> {
  const folder = join(directory, queueFolder);
  const identity = (await readFile(join(folder, "identity"), "utf8").catch(() => "")).trim();
  const isNoted = note !== undefined && note.queue === identity;
  if (note !== undefined && !isNoted) {
    const problem = "is missing, or is another store's";
    report({ severity: "damaged", place: queueFolder, problem, remedy: MISSING });
  }
  const applied = stored?.queue === identity ? stored.applied : 0;
  if (isNoted && stored !== undefined && applied < note.checkpointed) {
    const problem = `commands ${applied + 1} to ${note.checkpointed} are neither in the database nor in the queue`;
    report({ severity: "damaged", place: queueFolder, problem, remedy: MISSING });
  }
  const { chain, commands } = await verifySegments(folder, isNoted ? note.checkpointed : applied, report);
  const position = await readPosition(folder, identity);
  const missing = isNoted && stored !== undefined ? missingOf(chain, applied, position?.acknowledged) : [];
  if (missing.length > 0) {
    const problem = `lacks acknowledged commands (${idsText(missing)})`;
    report({ severity: "damaged", place: join(queueFolder, "commands"), problem, remedy: MISSING });
  }
  const postponed = await verifyPostponed(join(folder, "postponed"), report);
  return { commands, postponed, deadLetters: await verifyLetters(folder, report) };
}

async function verifySegments(
  folder: string,
  through: number,
  report: Report,
): Promise<{ chain: Map<number, number>; commands: number }> {
  const chain = new Map<number, number>();
  for (const name of (await namesIn(join(folder, "commands"))).filter(isSegment)) {
    const place = join(queueFolder, "commands", name);
    try {
      const { found, damage, tail } = await scanSegment(join(folder, "commands", name), through);
      for (const { entry, before } of found) chain.set(entry.id, before);
      for (const { from, to } of tail === undefined ? damage : [...damage, tail]) {
        report({
          severity: "damaged",
          place: `${place}, bytes ${from} to ${to}`,
          problem: "do not contain a valid command",
          remedy: SAVED,
        });
      }
    } catch (error) {
      report({ severity: "damaged", place, problem: String(error), remedy: MISSING });
    }
  }
  return { chain, commands: chain.size };
}

async function verifyPostponed(folder: string, report: Report): Promise<number> {
  let count = 0;
  for (const name of await namesIn(folder)) {
    if (!/^\d{16}$/.test(name)) continue;
    count++;
    const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
    if (decodePostponed(bytes) !== undefined) continue;
    const place = join(queueFolder, "postponed", name);
    report({ severity: "damaged", place, problem: "contains no valid command", remedy: SAVED });
  }
  return count;
}

async function verifyLetters(folder: string, report: Report): Promise<number> {
  const office = new DeadLetters(folder);
  const letters = await office.list();
  for (const { name, size } of letters) {
    try {
      if (size === 0) throw new Error("is empty");
      await office.read(name);
    } catch (error) {
      report({
        severity: "damaged",
        place: join(queueFolder, "discarded", name),
        problem: error instanceof Error ? error.message : String(error),
        remedy: "delete it: census dead-letters delete",
      });
    }
  }
  return letters.length;
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = await readdir(folder).catch(() => []);
  return names.sort();
}
