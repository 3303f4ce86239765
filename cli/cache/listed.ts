import type { JsonObject } from "#storage/json.ts";
import { formatTimestamp, timestampOfMillis } from "#storage/time.ts";
import type { ListedEntry } from "./entries.ts";

/** Entries as rows of an answer. */
export function listed(entries: readonly ListedEntry[]): JsonObject[] {
  return entries.map(({ key, kinds, about, bytes, used }) => ({
    archive: about.archive,
    as_of: about.time === null ? null : formatTimestamp(BigInt(about.time)),
    commands: about.pid === undefined ? about.commands : null,
    contents: [...kinds],
    bytes,
    last_used: formatTimestamp(timestampOfMillis(used)),
    sha256: about.pid !== undefined ? null : key.slice(0, key.indexOf("-")),
  }));
}
