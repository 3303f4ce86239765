import { type ProfileName, profileNames } from "#storage/anonymize/profiles.ts";
import { type ExportDirectory, exportDirectories } from "#storage/archive/export/members.ts";
import { formPairs } from "../query/form-pairs.ts";

/** What a request for an export may ask for. */
export interface ExportParameters {
  readonly directory: ExportDirectory;
  readonly profile: ProfileName;
}

/** The parameters: what each may be, and what holds where it is not given. */
export const exportParameters = {
  anonymization_profile: { known: profileNames, unless: "none" },
  directory: { known: exportDirectories, unless: exportDirectories[0] },
} as const;

/**
 * The parameters of a query string. PuppetDB exports everything as it is for a profile it does not know: whoever
 * misspells one would give away what was to be hidden.
 * @returns what is wrong with them, if anything is
 */
export function readExportParameters(search: string): ExportParameters | { readonly error: string } {
  const given = new Map(formPairs(search));
  for (const [name, { known }] of Object.entries(exportParameters)) {
    const value = given.get(name);
    if (value !== undefined && !(known as readonly string[]).includes(value)) {
      return { error: `${name} must be one of ${known.join(", ")}, not ${JSON.stringify(value)}` };
    }
  }
  const { anonymization_profile: profile, directory } = exportParameters;
  return {
    directory: (given.get("directory") ?? directory.unless) as ExportDirectory,
    profile: (given.get("anonymization_profile") ?? profile.unless) as ProfileName,
  };
}
