import { formatTimestamp, type Timestamp } from "#storage/time.ts";

/** The header that names a downloaded file: what it has, and the date of the data. */
export function attachment(name: string | undefined, now: Timestamp, extension: string): string {
  // A name that every system takes for a file.
  const known = (name ?? "").replaceAll(/[^a-z0-9_-]+/gi, "-").slice(0, 80);
  return `attachment; filename="${known === "" ? "rows" : known}-${formatTimestamp(now).slice(0, 10)}.${extension}"`;
}
