import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readFileHeader } from "../durability/file-header.ts";
import { type Note, noteFile, readNote } from "../durability/note.ts";
import { savedBlocksEnding, tornBlocks } from "../engine/saved-blocks.ts";
import { CensusError, messageOf } from "../errors.ts";
import { databaseFile } from "../store-database.ts";
import { type Finding, type AmountsRead, type Report, RESTORE } from "./finding.ts";
import { openStored, openWithoutLog, type Stored } from "./open-stored.ts";
import { verifyQueue } from "./queue.ts";
import { storedIn, verifyTables } from "./tables.ts";

export interface Verification {
  readonly directory: string;
  readonly findings: readonly Finding[];
  readonly read: AmountsRead;
}

/**
 * Reads a whole data directory and changes nothing.
 * @throws CensusError "bad-file" where there is no store, or a service has it open
 */
export async function verifyDirectory(directory: string): Promise<Verification> {
  const path = join(directory, databaseFile);
  const findings: Finding[] = [];
  const report: Report = (finding) => findings.push(finding);
  const { note, isDamaged } = await readNote(directory);
  if (!existsSync(path) && note === undefined && !existsSync(join(directory, "queue"))) {
    throw new CensusError("bad-file", `${directory}: no Census store here`);
  }
  if (isDamaged) {
    report({
      severity: "notice",
      place: noteFile,
      problem: "is damaged",
      remedy: "nothing: it is written again when the service starts",
    });
  }
  verifyModes(directory, report);
  verifyLeftovers(directory, report);
  let stored: Stored | undefined;
  let tables = { tables: 0, rows: 0 };
  if (verifyFile(path, note, report)) {
    const opened = await openStored(path, report);
    if (opened !== undefined) {
      try {
        tables = await verifyTables(opened, report);
        stored = await storedIn(opened);
        verifyIdentity(stored, note, report);
      } finally {
        await opened.close();
      }
      if (findings.every(({ severity }) => severity !== "damaged")) await verifyCheckpoint(path, report);
    }
  }
  const queue = await verifyQueue(directory, { note, stored }, report);
  return { directory, findings, read: { ...tables, ...queue } };
}

/** @returns whether the engine can open the file */
function verifyFile(path: string, note: Note | undefined, report: Report): boolean {
  const damaged = (problem: string): void =>
    report({ severity: "damaged", place: databaseFile, problem, remedy: RESTORE });
  const header = readFileHeader(path);
  if (header === undefined) {
    damaged("is missing");
    return false;
  }
  if (!header.isDatabase) {
    damaged("is not a database file, or its first bytes are damaged");
    return false;
  }
  const torn = tornBlocks(path);
  if (torn.length > 0) {
    report({
      severity: "damaged",
      place: databaseFile,
      problem: `blocks that describe the tables are damaged: ${torn.join(", ")}; the others were not read`,
      remedy: `start the service, which restores them from ${databaseFile}${savedBlocksEnding}, then verify again`,
    });
    return false;
  }
  if (note === undefined) return true;
  if (header.iteration < note.iteration) {
    damaged(`is older than recorded: checkpoint ${header.iteration}, not ${note.iteration}`);
  } else if (header.iteration === note.iteration && header.size < note.bytes) {
    damaged(`is cut off: it has ${header.size} bytes of ${note.bytes}`);
  }
  return true;
}

/**
 * Reads the tables as of the last checkpoint. The log may delete rows that the file has, and their blocks are then not
 * read; they are needed if the log is lost.
 */
async function verifyCheckpoint(path: string, report: Report): Promise<void> {
  if (!existsSync(`${path}.wal`)) return;
  const asOfThen: Report = (finding) => report({ ...finding, place: `${finding.place} as of the last checkpoint` });
  const opened = await openWithoutLog(path, asOfThen);
  if (opened === undefined) return;
  try {
    await verifyTables(opened, asOfThen);
  } finally {
    await opened.close();
  }
}

function verifyIdentity({ store }: Stored, note: Note | undefined, report: Report): void {
  if (note === undefined || store === "" || store === note.store) return;
  report({
    severity: "damaged",
    place: databaseFile,
    problem: `is the file of another store than ${noteFile} is about`,
    remedy: "put the right file back",
  });
}

function verifyModes(directory: string, report: Report): void {
  if (process.platform === "win32") return;
  for (const name of ["", databaseFile, "queue"]) {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    if (found === undefined || (found.mode & 0o077) === 0) continue;
    report({
      severity: "notice",
      place: name === "" ? directory : name,
      problem: `can be read by others than its owner: mode ${(found.mode & 0o777).toString(8)}`,
      remedy: "nothing: the service makes it private when it starts",
    });
  }
}

/** Files that were set aside earlier. */
function verifyLeftovers(directory: string, report: Report): void {
  const damagedFolder = join("queue", "damaged");
  const logs = namesIn(directory).filter((name) => /\.(?:damaged|unfinished)/.test(name));
  const pieces = namesIn(join(directory, damagedFolder)).map((name) => join(damagedFolder, name));
  for (const place of [...logs, ...pieces]) {
    report({
      severity: "notice",
      place,
      problem: "was set aside earlier, since it could not be read",
      remedy: "look at it, then delete it; the service does not use it",
    });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new CensusError("bad-file", messageOf(error), { cause: error });
  }
}
