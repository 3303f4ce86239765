import { formatTimestamp, timestampOfMillis } from "#storage/time.ts";
import type { Rows } from "../output/rows.ts";
import type { ListedEntry } from "./entries.ts";

/** Entries as rows of an answer. */
export async function* listed(entries: readonly ListedEntry[]): Rows {
  yield entries.map(({ key, kinds, about, bytes, used }) =>
    JSON.stringify({
      archive: about.archive,
      as_of: about.time === null ? null : formatTimestamp(BigInt(about.time)),
      commands: about.pid === undefined ? about.commands : null,
      contents: [...kinds],
      bytes,
      last_used: formatTimestamp(timestampOfMillis(used)),
      sha256: about.pid !== undefined ? null : key.slice(0, key.indexOf("-")),
    }),
  );
}
