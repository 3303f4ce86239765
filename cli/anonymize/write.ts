import { realpath } from "node:fs/promises";
import type { Anonymizer } from "#storage/anonymize/anonymizer.ts";
import { anonymizedMembers, receiptTime } from "#storage/anonymize/archive.ts";
import { readMetadata } from "#storage/archive/contents.ts";
import { type WriteArchiveOptions, writeArchiveFile } from "#storage/archive/write.ts";
import { type WrittenMember } from "#storage/archive/written-member.ts";
import { UsageError } from "../errors.ts";
import { until } from "../interruptible.ts";
import { startProgress } from "../progress.ts";

/** A summary of the written archive. */
export interface Written {
  readonly documents: number;
  /** Members that are not commands, and were omitted. */
  readonly ignored: number;
}

/** The formats, by how the names of their files end. */
const FORMATS: readonly (readonly [RegExp, WriteArchiveOptions["format"]])[] = [
  [/\.(?:tgz|tar\.gz)$/i, "tar.gz"],
  [/\.zip$/i, "zip"],
];

/**
 * The archive format of a file, by its extension.
 * @param command the command's name, for messages
 * @throws UsageError for any other extension
 */
export function formatOf(path: string, command = "anonymize"): WriteArchiveOptions["format"] {
  const found = FORMATS.find(([ending]) => ending.test(path));
  if (found !== undefined) return found[1];
  throw new UsageError(`${command}: ${JSON.stringify(path)} must end in .tgz, .tar.gz or .zip`);
}

/**
 * Writes an anonymized copy of an archive, with progress on a terminal. The file appears when it is complete.
 * @throws UsageError when it would take the original's place; CensusError "bad-file" when either cannot be used; the
 * signal's reason
 */
export async function writeAnonymized(
  path: string,
  out: string,
  anonymizer: Anonymizer,
  signal: AbortSignal,
): Promise<Written> {
  const format = formatOf(out);
  const { timestamp } = await readMetadata(path);
  if (await isSame(path, out)) throw new UsageError(`anonymize: ${out} is the input archive; choose another name`);
  const progress = startProgress(`Anonymizing ${path}`);
  let [documents, ignored] = [0, 0];
  const onIgnored = (): void => {
    ignored++;
  };
  async function* members(): AsyncGenerator<WrittenMember> {
    const all = anonymizedMembers(path, anonymizer, { onProgress: progress.update, onIgnored });
    for await (const member of until(signal, all)) {
      yield member;
      documents++;
    }
  }
  try {
    await writeArchiveFile(out, members(), { format, mtime: receiptTime(timestamp) });
  } finally {
    progress.stop();
  }
  // the metadata are not a document
  return { documents: documents - 1, ignored };
}

async function isSame(path: string, out: string): Promise<boolean> {
  const [one, other] = await Promise.all([realpath(path), realpath(out).catch(() => undefined)]);
  return one === other;
}
