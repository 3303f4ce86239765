import type { EnumArgDef, StringArgDef } from "citty";
import { type ProfileName, profileNames } from "#storage/anonymize/profiles.ts";
import { UsageError } from "../errors.ts";
import type { ArgumentsOf } from "../option-groups.ts";

/** @param fallback the profile where the option is not set */
export function profileOption(fallback: ProfileName): EnumArgDef & { type: "enum"; options: ProfileName[] } {
  return { type: "enum", options: [...profileNames], description: `Anonymization profile (default: ${fallback})` };
}

export const saltFileOption = {
  type: "string",
  valueHint: "FILE",
  description: "Key for replacements, 16 secret bytes or more; the same key gives the same replacements",
} as const satisfies StringArgDef;

/** Options of commands that can anonymize their output. */
export const anonymizeOptions = { anonymize: profileOption("none"), "salt-file": saltFileOption };

/** The values of {@link anonymizeOptions}. */
export type AnonymizeArguments = ArgumentsOf<typeof anonymizeOptions>;

/** @throws UsageError for a key without a profile */
export function checkAnonymizeArguments(command: string, args: AnonymizeArguments): void {
  if (args["salt-file"] !== undefined && args.anonymize === undefined) {
    throw new UsageError(`${command}: --salt-file needs --anonymize`);
  }
}
