import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../cache/place.ts";

/** Maximum number of queries in the history file. */
const LONGEST = 1000;

/** The history file, in the platform's directory for state. */
export function historyFile(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME: xdg = "", LOCALAPPDATA: local = "" } = env;
  if (xdg !== "") return join(xdg, "census", "history");
  if (process.platform === "win32" && local !== "") return join(local, "census", "history");
  return join(homedir(), ".local", "state", "census", "history");
}

/** Earlier queries, oldest first. */
export class History {
  readonly entries: string[];
  readonly #path: string | undefined;

  private constructor(path: string | undefined, entries: string[]) {
    this.#path = path;
    this.entries = entries;
  }

  /**
   * Opens the history. Only its owner may read the file, because queries may contain secrets. If the file cannot be
   * written, the history lasts for this session only.
   * @param path undefined: neither read nor write a file
   */
  static open(path: string | undefined): History {
    if (path === undefined || !makePrivateFolder(dirname(path))) return new History(undefined, []);
    try {
      const all = existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
      const entries = all.slice(-LONGEST);
      if (entries.length < all.length)
        writeFileSync(path, entries.map((entry) => `${entry}\n`).join(""), { mode: 0o600 });
      appendFileSync(path, "", { mode: 0o600 });
      chmodSync(path, 0o600);
      return new History(path, entries);
    } catch {
      return new History(undefined, []);
    }
  }

  /** Adds a query on one line, unless it repeats the last one. */
  add(entry: string): void {
    if (entry === this.entries.at(-1)) return;
    this.entries.push(entry);
    if (this.entries.length > LONGEST) this.entries.shift();
    if (this.#path === undefined) return;
    try {
      appendFileSync(this.#path, `${entry}\n`, { mode: 0o600 });
    } catch {
      // Ignore the error: a query must work without a history.
    }
  }
}
