import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Sessions that were ended by a sign-out on this server, in a file of the data directory until they would have ended. */
export class EndedSessions {
  readonly #path: string | undefined;
  /** When a session would have ended, by its id; milliseconds since the epoch. */
  readonly #ended = new Map<string, number>();

  /** @param directory undefined: in memory */
  constructor(directory: string | undefined, now = Date.now()) {
    this.#path = directory === undefined ? undefined : join(directory, "ended-sessions");
    for (const line of this.#path === undefined ? [] : linesOf(this.#path)) {
      const [id = "", until] = line.split(" ");
      if (Number(until) > now) this.#ended.set(id, Number(until));
    }
    if (this.#path !== undefined && this.#ended.size > 0) {
      writeFileSync(this.#path, [...this.#ended].map(lineOf).join(""), { mode: 0o600 });
    }
  }

  has(id: string): boolean {
    return this.#ended.has(id);
  }

  /** @param until when the session would have ended; milliseconds since the epoch */
  add(id: string, until: number, now = Date.now()): void {
    for (const [known, end] of this.#ended) if (end <= now) this.#ended.delete(known);
    this.#ended.set(id, until);
    if (this.#path !== undefined) appendFileSync(this.#path, lineOf([id, until]), { mode: 0o600 });
  }
}

function lineOf([id, until]: readonly [string, number]): string {
  return `${id} ${until}\n`;
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
