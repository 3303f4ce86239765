import type { ProfileName } from "#storage/anonymize/profiles.ts";
import type { ExportDirectory } from "#storage/archive/export/members.ts";
import type { WriteArchiveOptions } from "#storage/archive/write.ts";

/** Options of an export. */
export interface ExportOrder {
  /** The file to be written. */
  readonly path: string;
  readonly format: WriteArchiveOptions["format"];
  /** Undefined: whatever the source makes of itself. */
  readonly directory: ExportDirectory | undefined;
  readonly profile: ProfileName | undefined;
  /** The key of the replacements; random unless given. */
  readonly salt: Uint8Array | undefined;
  /** Whether recorded changes are exported too. */
  readonly withHistory: boolean;
}
