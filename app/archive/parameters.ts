import { type ProfileName, profileNames } from "#storage/anonymize/profiles.ts";
import { type ExportDirectory, exportDirectories } from "#storage/archive/export/members.ts";
import { formPairs } from "../query/form-pairs.ts";

/** The parameters of a request for an export. */
export interface ExportParameters {
  readonly directory: ExportDirectory;
  readonly profile: ProfileName;
  readonly withHistory: boolean;
}

/** The parameters: their possible values and defaults. */
export const exportParameters = {
  anonymization_profile: { known: profileNames, unless: "none" },
  directory: { known: exportDirectories, unless: exportDirectories[0] },
  history: { known: ["true", "false"], unless: "false" },
} as const;

/**
 * Reads the parameters of a query string. PuppetDB exports everything unchanged for an unknown profile, so that a
 * typing error would disclose what should be hidden; here that is an error.
 * @returns the error, if any
 */
export function readExportParameters(search: string): ExportParameters | { readonly error: string } {
  const given = new Map(formPairs(search));
  if (given.has("as_of")) {
    return {
      error:
        "as_of is not possible for an archive: not all values of a past state are recorded, and an import takes an archive for " +
        "complete; history=true exports the recorded changes too",
    };
  }
  for (const [name, { known }] of Object.entries(exportParameters)) {
    const value = given.get(name);
    if (value !== undefined && !(known as readonly string[]).includes(value)) {
      return { error: `${name} must be one of ${known.join(", ")}, not ${JSON.stringify(value)}` };
    }
  }
  const { anonymization_profile, directory } = exportParameters;
  const profile = (given.get("anonymization_profile") ?? anonymization_profile.unless) as ProfileName;
  const withHistory = given.get("history") === "true";
  if (withHistory && profile !== "none") {
    return { error: "history must be false where anonymization_profile is set: changes are not anonymized" };
  }
  return { directory: (given.get("directory") ?? directory.unless) as ExportDirectory, profile, withHistory };
}
