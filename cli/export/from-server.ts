import { rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { readMetadata } from "#storage/archive/contents.ts";
import { openMembers } from "#storage/archive/members.ts";
import { movedMembers } from "#storage/archive/moved.ts";
import { replaceFile, writeArchiveFile } from "#storage/archive/write.ts";
import { CensusError } from "#storage/errors.ts";
import { until } from "../interruptible.ts";
import type { Contact } from "../sources/contact.ts";
import { nameOf, send, Unreachable } from "../sources/http.ts";
import type { ExportOrder } from "./options.ts";

const PATH = "/pdb/admin/v1/archive";

/**
 * Exports the data of a server, Census or PuppetDB, to a file. With a salt, the server exports plain data and it is
 * anonymized here, because servers use their own salts.
 * @throws CensusError "bad-input" when the server refuses (400), else "bad-file"; the signal's reason
 */
export async function exportServer(contact: Contact, order: ExportOrder, signal: AbortSignal): Promise<void> {
  const { path, format, directory, profile, salt, withHistory } = order;
  const search = new URLSearchParams({
    ...(profile === undefined || salt !== undefined ? {} : { anonymization_profile: profile }),
    ...(directory === undefined ? {} : { directory }),
    ...(withHistory ? { history: "true" } : {}),
  });
  const { url, response } = await send(contact, {
    path: search.size === 0 ? PATH : `${PATH}?${search.toString()}`,
    signal,
  });
  if (response.statusCode !== 200) {
    const message = `${nameOf(url)} returned HTTP ${response.statusCode}: ${await text(response)}`;
    throw new CensusError(response.statusCode === 400 ? "bad-input" : "bad-file", message);
  }
  const download = format === "zip" || salt !== undefined ? `${path}.download` : path;
  try {
    await replaceFile(download, async (target) => {
      // Where one of them fails, the other one gets the same error afterwards.
      let failed: typeof response | typeof target | undefined;
      for (const stream of [response, target]) stream.once("error", () => (failed ??= stream));
      await pipeline(response, target, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw failed === target ? error : new Unreachable(url, error);
      });
    });
    await convert(download, order, signal);
  } finally {
    if (download !== path) await rm(download, { force: true });
  }
}

/** Converts the download if needed: PuppetDB has only one format and one directory. */
async function convert(download: string, order: ExportOrder, signal: AbortSignal): Promise<void> {
  const { path, format, directory, salt } = order;
  const made = await readMetadata(download);
  const wanted = directory === undefined ? made.directory : `${directory}/`;
  if (format === "tar.gz" && wanted === made.directory && salt === undefined) return;
  const members = salt === undefined ? openMembers(download) : await anonymized(download, order);
  const moved = movedMembers(members, made.directory, wanted);
  await writeArchiveFile(path, until(signal, moved), { format, mtime: new Date() });
}

async function anonymized(download: string, { profile = "none", salt }: ExportOrder) {
  const [{ archiveAnonymizer }, { anonymizedMembers }] = await Promise.all([
    import("../anonymize/anonymizer.ts"),
    import("#storage/anonymize/archive.ts"),
  ]);
  return anonymizedMembers(download, await archiveAnonymizer(download, profile, salt));
}
