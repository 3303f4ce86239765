import { oneLine } from "../errors.ts";

/** Maximum number of things that are listed. */
const LISTED = 20;

/** What was not imported, and why. */
export class LeftOut {
  readonly #lines: string[] = [];

  /** Whether something was. */
  get hasAny(): boolean {
    return this.#lines.length > 0;
  }

  readonly note = (what: string, reason: string): void => {
    this.#lines.push(`${what}: ${reason}`);
  };

  /** Lists the first ones on stderr. */
  report(): void {
    for (const line of this.#lines.slice(0, LISTED)) process.stderr.write(`census: skipped ${oneLine(line)}\n`);
    const more = this.#lines.length - LISTED;
    if (more > 0) process.stderr.write(`census: skipped ${more} more\n`);
  }
}
