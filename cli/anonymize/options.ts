import type { EnumArgDef, StringArgDef } from "citty";
import { type ProfileName, profileNames } from "#storage/anonymize/profiles.ts";

type ProfileOption = EnumArgDef & { type: "enum"; options: ProfileName[] };

/** Options of what writes or stores documents, spelled and explained the same everywhere. */
export const anonymizeOption: ProfileOption = {
  type: "enum",
  options: [...profileNames],
  description: "Anonymization profile (default: none)",
};

export const saltFileOption = {
  type: "string",
  valueHint: "FILE",
  description: "Key for replacements, 16 secret bytes or more; the same key gives the same replacements",
} as const satisfies StringArgDef;
