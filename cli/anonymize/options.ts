import type { EnumArgDef, StringArgDef } from "citty";
import { type ProfileName, profileNames } from "#storage/anonymize/profiles.ts";

type ProfileOption = EnumArgDef & { type: "enum"; options: ProfileName[] };

/** Options of what writes or stores documents, spelled and explained the same everywhere. */
export const anonymizeOption: ProfileOption = {
  type: "enum",
  options: [...profileNames],
  description: "How much is put into other words (Default: none)",
};

export const saltFileOption = {
  type: "string",
  valueHint: "FILE",
  description: "Make the same replacements wherever this file is given: 16 bytes or more that nobody else knows",
} as const satisfies StringArgDef;
