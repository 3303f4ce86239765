import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { isLeftOut } from "#test/left-out.ts";
import { program, startFolder } from "#test/program.ts";
import { environment } from "./census.ts";

const python = ["/usr/bin/python3", "python3"].find(
  (program) =>
    spawnSync(program, ["-c", "import pty, os; os.waitstatus_to_exitcode"], { stdio: "ignore" }).status === 0,
);

/**
 * Whether programs can be run on a terminal here.
 * @throws Error in continuous integration ({@link isLeftOut})
 */
export function hasTerminals(what: string): boolean {
  const reason = python === undefined ? "python3 (3.9 or newer) with its module pty is missing" : undefined;
  return !isLeftOut(`${what} on a terminal`, reason, "CENSUS_WITHOUT_CLIENTS");
}

export interface TerminalOptions {
  readonly rows?: number;
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** What runs there instead of census. */
  readonly program?: readonly string[];
}

/** How long something is waited for (ms), so that a test that fails says what was shown instead. */
const PATIENCE = 30_000;

/** A program, census if nothing is said, on a terminal of its own: what is typed, and what is shown. */
export class Terminal {
  readonly #child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
  readonly #control: Writable;
  readonly #closed: Promise<unknown[]>;
  #shown = "";
  /** How much of what is shown was waited for already. */
  #seen = 0;
  #waiting: (() => void)[] = [];

  constructor(words: readonly string[], options: TerminalOptions = {}) {
    const { rows = 24, columns = 80, env = {}, program: started = program } = options;
    const { NO_COLOR: _, FORCE_COLOR: _force, ...inherited } = environment();
    this.#child = spawn(
      python ?? "python3",
      [join(import.meta.dirname, "on_terminal.py"), String(rows), String(columns), ...started, ...words],
      {
        cwd: startFolder,
        env: { ...inherited, TERM: "xterm-256color", ...env },
        stdio: ["pipe", "pipe", "inherit", "pipe"],
      },
    ) as ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
    this.#control = this.#child.stdio[3] as Writable;
    this.#control.on("error", () => undefined);
    this.#closed = once(this.#child, "close");
    this.#child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      this.#shown += piece;
      this.#wake();
    });
    this.#child.once("close", () => this.#wake());
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Everything that was shown so far, control sequences and all. */
  get shown(): string {
    return this.#shown;
  }

  /** Types; Enter is `\r`, Tab `\t`, Ctrl-C `\u0003`, Ctrl-D `\u0004`. */
  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Changes the size of the terminal. */
  resize(rows: number, columns: number): void {
    this.#control.write(`size ${rows} ${columns}\n`);
  }

  /** Sends the program a signal. */
  signal(name: NodeJS.Signals): void {
    this.#control.write(`signal ${name}\n`);
  }

  /**
   * Waits until something is shown behind what was waited for before.
   * @returns the text between the two, and the second
   * @throws Error with what was shown when the program ends before, or nothing comes
   */
  async until(expected: string | RegExp): Promise<string> {
    const latest = performance.now() + PATIENCE;
    const timer = setTimeout(() => this.#wake(), PATIENCE + 1);
    try {
      return await this.#find(expected, latest);
    } finally {
      clearTimeout(timer);
    }
  }

  async #find(expected: string | RegExp, latest: number): Promise<string> {
    for (;;) {
      const rest = this.#shown.slice(this.#seen);
      const at = typeof expected === "string" ? rest.indexOf(expected) : rest.search(expected);
      if (at >= 0) {
        const found = typeof expected === "string" ? expected : (expected.exec(rest)?.[0] ?? "");
        this.#seen += at + found.length;
        return rest.slice(0, at + found.length);
      }
      if (performance.now() > latest) throw new Error(`there was no ${String(expected)}: ${this.#shown}`);
      if (this.#child.exitCode !== null) throw new Error(`it ended without ${String(expected)}: ${this.#shown}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Waits until the program ends; its exit code. */
  async ended(): Promise<number | null> {
    const [code] = await this.#closed;
    return code as number | null;
  }
}
