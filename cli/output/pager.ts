import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { CensusError } from "#storage/errors.ts";
import { ReaderGone } from "../errors.ts";
import { stdout, type TextOutput } from "../stdout.ts";
import { displayWidth } from "./fit.ts";

/** The exit codes of a shell for a program that it could not start. */
const notStarted: ReadonlySet<number | null> = new Set([126, 127]);

/** An output that is closed after a result. */
export interface ClosableOutput extends TextOutput {
  /** Writes the rest, and waits until the user has left it. */
  close(): Promise<void>;
}

/**
 * The pager command; undefined when there is none or it is disabled.
 * @param chops long lines are cut at the edge of the screen, where the arrow keys move it, instead of wrapped
 */
export function pagerCommand(chops: boolean, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { PAGER: wanted, TERM: terminal } = env;
  if (wanted !== undefined) return wanted.trim() === "" || wanted.trim() === "cat" ? undefined : wanted;
  if (terminal === "dumb" || spawnSync("less", ["--version"], { stdio: "ignore" }).status !== 0) return undefined;
  return chops ? "less -FRSX" : "less -FRX";
}

/** What is written is UTF-8: in a locale that does not say so, `less` would show the bytes of each character. */
export function pagerEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((name) => name !== undefined && name !== "");
  return /utf-?8/i.test(locale ?? "") ? env : { LESSCHARSET: "utf-8", ...env };
}

export interface PagedOptions {
  /** Called for the first result that is longer than the screen; undefined: there is no pager. */
  readonly pager: () => string | undefined;
  /** Lines and columns of the screen. */
  readonly screen: { readonly rows: number; readonly columns: number };
  /** Called before the pager has the terminal, and when it gives it back. */
  readonly lend: () => void;
  readonly takeBack: () => void;
  /** Called when the user quits the pager before everything is written. */
  readonly onLeave?: () => void;
}

/** Terminal output: results longer than the screen go through a pager. */
export class PagedOutput implements ClosableOutput {
  readonly #options: PagedOptions;
  #state: "collecting" | "paging" | "direct" = "collecting";
  #held = "";
  #lines = 0;
  #pager: ChildProcess | undefined;
  #ended: Promise<number | null> | undefined;
  #isClosing = false;
  #remarks = "";

  constructor(options: PagedOptions) {
    this.#options = options;
  }

  async write(text: string): Promise<void> {
    if (this.#state === "direct") return stdout.write(text);
    if (this.#state === "paging") return this.#give(text);
    this.#held += text;
    this.#lines += screenLines(text, this.#options.screen.columns);
    // The prompt and the number of rows need two lines.
    if (this.#lines <= this.#options.screen.rows - 2) return;
    const command = this.#options.pager();
    this.#state = command === undefined ? "direct" : "paging";
    const held = this.#held;
    this.#held = "";
    if (command === undefined) return stdout.write(held);
    this.#start(command);
    await this.#give(held);
  }

  /** Collects remarks until the pager has returned the terminal. */
  aside(text: string): void {
    this.#remarks += text;
  }

  /** @throws CensusError when the pager could not be started */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#held !== "") await stdout.write(this.#held);
    this.#pager?.stdin?.end();
    const code = (await this.#ended) ?? 0;
    if (notStarted.has(code)) {
      const command = JSON.stringify(this.#pager?.spawnargs.at(-1) ?? "");
      throw new CensusError("bad-file", `the pager ${command} cannot be started; set PAGER, or use --no-pager`);
    }
    process.stderr.write(this.#remarks);
  }

  #start(command: string): void {
    this.#options.lend();
    const pager = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env: pagerEnvironment() });
    this.#pager = pager;
    this.#ended = new Promise((resolve) => {
      const end = (code: number | null): void => {
        this.#options.takeBack();
        if (!this.#isClosing) this.#options.onLeave?.();
        resolve(code);
      };
      pager.once("error", () => end(127));
      pager.once("close", end);
    });
    pager.stdin.on("error", () => undefined);
  }

  /** @throws ReaderGone when the user quits the pager early */
  async #give(text: string): Promise<void> {
    const stdin = this.#pager?.stdin;
    if (stdin === undefined || stdin === null) throw new ReaderGone();
    await new Promise<void>((resolve, reject) => {
      stdin.write(text, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(new ReaderGone());
      });
    });
  }
}

/** Lines of the screen that a text takes: long ones are wrapped by the terminal. */
function screenLines(text: string, columns: number): number {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return (
    lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0) + (last === "" ? 0 : 1)
  );
}
