import { CensusError } from "#storage/errors.ts";

/** Invalid settings. */
export class SettingsError extends CensusError {
  /** A line for each error, with its place. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super("bad-input", problems.join("\n"));
    this.name = "SettingsError";
    this.problems = problems;
  }
}
