import { dataOption, nowOption } from "../options.ts";
import { type ContactArguments, contactOptions } from "./contact-options.ts";

/** The options that name what is asked and how it is reached: the same in every command that asks something. */
export const sourceOptions = {
  archive: {
    type: "string",
    valueHint: "FILE",
    description: "Ask an exported archive: tar.gz, tar, zip or the folder it was unpacked to",
  },
  data: { ...dataOption, description: "Ask a data directory; it is only read, and no server may have it open" },
  ...contactOptions,
  cache: {
    type: "boolean",
    default: true,
    description: "Keep opened archives for the next time",
    negativeDescription: "Neither use nor keep what opening an archive has made",
  },
  now: { ...nowOption, description: `${nowOption.description}; for archives and data directories` },
} as const;

/** What a command line said with {@link sourceOptions}. */
export interface SourceArguments extends ContactArguments {
  readonly archive?: string | undefined;
  readonly data?: string | undefined;
  readonly cache?: boolean | undefined;
  readonly now?: string | undefined;
}
