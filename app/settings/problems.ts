import { CensusError } from "#storage/errors.ts";

/** Settings that cannot be gone by. */
export class SettingsError extends CensusError {
  /** A line for each thing that is wrong, with its place. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super("bad-input", problems.join("\n"));
    this.name = "SettingsError";
    this.problems = problems;
  }
}
