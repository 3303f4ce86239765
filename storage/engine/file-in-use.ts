import { CensusError } from "../errors.ts";

/** A database file is in use by another process, mostly the service. */
export class FileInUse extends CensusError {
  /** What is in use, and by which process. */
  readonly problem: string;

  constructor(problem: string) {
    super("bad-file", `${problem}; stop it, or query it over HTTP with --url`);
    this.problem = problem;
  }
}
