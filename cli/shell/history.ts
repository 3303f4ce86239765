import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../cache/place.ts";

/** Questions that are remembered from one time to the next. */
const LONGEST = 1000;

/** Where the platform keeps what a program remembers of its use. */
export function historyFile(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME: xdg = "", LOCALAPPDATA: local = "" } = env;
  if (xdg !== "") return join(xdg, "census", "history");
  if (process.platform === "win32" && local !== "") return join(local, "census", "history");
  return join(homedir(), ".local", "state", "census", "history");
}

/** What was asked before, the oldest first. */
export class History {
  readonly entries: string[];
  readonly #path: string | undefined;

  private constructor(path: string | undefined, entries: string[]) {
    this.#path = path;
    this.entries = entries;
  }

  /**
   * Questions may hold what others must not see: the file is its owner's alone. Where it cannot be kept, nothing is
   * remembered beyond the end.
   * @param path undefined: nothing is read, nothing is kept
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

  /** A question on one line; the same one twice in a row is kept once. */
  add(entry: string): void {
    if (entry === this.entries.at(-1)) return;
    this.entries.push(entry);
    if (this.entries.length > LONGEST) this.entries.shift();
    if (this.#path === undefined) return;
    try {
      appendFileSync(this.#path, `${entry}\n`, { mode: 0o600 });
    } catch {
      // What was asked is answered, whether it can be remembered or not.
    }
  }
}
