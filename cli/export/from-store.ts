import { exportDirectories, exportMembers } from "#storage/archive/export/members.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";
import type { Store } from "#storage/store.ts";
import { startProgress } from "../progress.ts";
import type { ExportOrder } from "./options.ts";

/**
 * Writes a store's content to a file, showing progress on a terminal.
 * @throws as `writeArchiveFile`; the signal's reason
 */
export async function exportStore(
  store: Store,
  { path, format, directory = exportDirectories[0], profile, salt, withHistory }: ExportOrder,
  signal: AbortSignal,
): Promise<void> {
  const progress = startProgress(`Writing ${path}`);
  try {
    const members = exportMembers(store, {
      directory,
      profile,
      salt,
      withHistory,
      signal,
      onProgress: progress.update,
    });
    await writeArchiveFile(path, members, { format, mtime: new Date() });
  } finally {
    progress.stop();
  }
}
