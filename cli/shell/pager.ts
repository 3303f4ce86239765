import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { ReaderGone } from "../errors.ts";
import { stdout, type TextOutput } from "../stdout.ts";

/** Lines of the screen that the prompt needs. */
const FOR_PROMPT = 2;

/** The pager command; undefined when there is none or it is disabled. */
export function pagerCommand(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { PAGER: wanted } = env;
  if (wanted !== undefined) return wanted.trim() === "" || wanted.trim() === "cat" ? undefined : wanted;
  return spawnSync("less", ["--version"], { stdio: "ignore" }).status === 0 ? "less -RSF" : undefined;
}

export interface PagedOptions {
  readonly pager: string | undefined;
  /** Lines of the screen. */
  readonly rows: number;
  /** Called before the pager has the terminal, and when it gives it back. */
  readonly lend: () => void;
  readonly takeBack: () => void;
}

/** Terminal output: results longer than the screen go through a pager. */
export class PagedOutput implements TextOutput {
  readonly #options: PagedOptions;
  #held = "";
  #lines = 0;
  #pager: ChildProcess | undefined;
  #ended: Promise<unknown> | undefined;
  #remarks = "";

  constructor(options: PagedOptions) {
    this.#options = options;
  }

  async write(text: string): Promise<void> {
    const { pager, rows } = this.#options;
    if (pager === undefined) return stdout.write(text);
    if (this.#pager !== undefined) return this.#give(text);
    this.#held += text;
    this.#lines += text.split("\n").length - 1;
    if (this.#lines > rows - FOR_PROMPT) await this.#page(pager);
  }

  /** Collects remarks until the pager has returned the terminal. */
  aside(text: string): void {
    this.#remarks += text;
  }

  /** Writes the rest and waits for the pager to end. */
  async close(): Promise<void> {
    if (this.#pager === undefined) await stdout.write(this.#held);
    else {
      this.#pager.stdin?.end();
      await this.#ended;
      this.#options.takeBack();
    }
    process.stderr.write(this.#remarks);
  }

  async #page(command: string): Promise<void> {
    this.#options.lend();
    this.#pager = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"] });
    this.#ended = once(this.#pager, "close");
    this.#pager.stdin?.on("error", () => undefined);
    await this.#give(this.#held);
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
