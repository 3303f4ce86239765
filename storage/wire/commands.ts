/** The properties of each command (reference/commands.md §1.5, §2.1; reference/archive.md §1, §4). */
export interface CommandDeclaration {
  /** every supported version of the wire format, ascending; each is upgraded to the last */
  readonly versions: readonly number[];
  /** the lowest version that may be submitted over HTTP; lower ones occur in archives and old queues */
  readonly minimumOverHttp: number;
  readonly newest: number;
  /** the name of the command in a queue file's name */
  readonly fileToken: string;
  /** the folder of an archive, and its key in the metadata's `command_versions`; undefined: not in archives */
  readonly archive: { readonly folder: string; readonly versionKey: string } | undefined;
}

export const commands = {
  "replace catalog": {
    versions: [4, 5, 6, 7, 8, 9],
    minimumOverHttp: 6,
    newest: 9,
    fileToken: "catalog",
    archive: { folder: "catalogs", versionKey: "replace_catalog" },
  },
  "replace facts": {
    versions: [2, 3, 4, 5],
    minimumOverHttp: 4,
    newest: 5,
    fileToken: "facts",
    archive: { folder: "facts", versionKey: "replace_facts" },
  },
  "store report": {
    versions: [3, 4, 5, 6, 7, 8],
    minimumOverHttp: 5,
    newest: 8,
    fileToken: "report",
    archive: { folder: "reports", versionKey: "store_report" },
  },
  "deactivate node": {
    versions: [1, 2, 3],
    minimumOverHttp: 3,
    newest: 3,
    fileToken: "rm-node",
    archive: undefined,
  },
  "replace catalog inputs": {
    versions: [1],
    minimumOverHttp: 1,
    newest: 1,
    fileToken: "inputs",
    archive: { folder: "catalog_inputs", versionKey: "replace_catalog_inputs" },
  },
  "configure expiration": {
    versions: [1],
    minimumOverHttp: 1,
    newest: 1,
    fileToken: "set-expire",
    archive: { folder: "configure_expiration", versionKey: "configure_expiration" },
  },
} as const satisfies Record<string, CommandDeclaration>;

export type CommandName = keyof typeof commands;

/** The six names, in alphabetical order. */
export const commandNames = (Object.keys(commands) as CommandName[]).sort();

export function isCommandName(text: string): text is CommandName {
  return Object.hasOwn(commands, text);
}

/** Whether this version of a command is supported. */
export function isProcessed(command: CommandName, version: number): boolean {
  return (commands[command].versions as readonly number[]).includes(version);
}
