/** Settings for accepting commands (`reference/config.md`, `reference/commands.md §1.2`). */
export interface CommandSettings {
  /** Commands of more bytes than `maxCommandSize` are refused. */
  readonly rejectLargeCommands: boolean;
  /** Bytes. */
  readonly maxCommandSize: number;
  /** Commands whose checksum is not their payload's are refused rather than logged. */
  readonly verifyChecksum: boolean;
  /** Why none are accepted; absent: they are. */
  readonly refusedBecause?: string | undefined;
  /** Bytes that a body may have as it arrives; undefined: as many as can be dealt with. */
  readonly bodyMaxSize?: number | undefined;
}

/** Maximum bytes of a command, whatever the settings: larger ones are refused rather than exhausting the memory. */
export const LARGEST_COMMAND = 512 * 1024 * 1024;

/** Defaults. PuppetDB's limit is a 205th of its heap; this is the one for 4 GB. */
export const defaultCommandSettings: CommandSettings = {
  rejectLargeCommands: false,
  maxCommandSize: 20 * 1024 * 1024,
  verifyChecksum: false,
};
