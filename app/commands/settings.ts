/** What a site may set about the taking in of commands (`reference/config.md`, `reference/commands.md §1.2`). */
export interface CommandSettings {
  /** Commands of more bytes than `maxCommandSize` are refused. */
  readonly rejectLargeCommands: boolean;
  /** Bytes. */
  readonly maxCommandSize: number;
  /** Commands whose checksum is not their payload's are refused rather than logged. */
  readonly verifyChecksum: boolean;
  /** Bytes that a body may have as it arrives; undefined: as many as can be dealt with. */
  readonly bodyMaxSize?: number | undefined;
}

/** The largest command taken in any case, bytes: larger ones are refused rather than exhausting the memory. */
export const LARGEST_COMMAND = 512 * 1024 * 1024;

/** What holds where nothing is set. PuppetDB's limit is a 205th of its heap; this is that of 4 GB. */
export const defaultCommandSettings: CommandSettings = {
  rejectLargeCommands: false,
  maxCommandSize: 20 * 1024 * 1024,
  verifyChecksum: false,
};
