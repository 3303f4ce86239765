import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { Terminal, type TerminalOptions } from "../terminal.ts";

/** How long a screen is waited for (ms). */
const PATIENCE = 30_000;

/** A program on a terminal whose screen can be read, as a terminal emulator draws it. */
export class ScreenTerminal {
  readonly #terminal: Terminal;
  readonly #emulator: xterm.Terminal;
  #drawn = 0;

  constructor(words: readonly string[], { rows = 24, columns = 80, ...options }: TerminalOptions = {}) {
    this.#terminal = new Terminal(words, { rows, columns, ...options });
    // A program that a failed test leaves behind would keep the tests from ending.
    onTestFinished(() => this.#terminal.signal("SIGKILL"));
    this.#emulator = new xterm.Terminal({ rows, cols: columns, allowProposedApi: true });
  }

  type(keys: string): void {
    this.#terminal.type(keys);
  }

  signal(name: NodeJS.Signals): void {
    this.#terminal.signal(name);
  }

  resize(rows: number, columns: number): void {
    this.#emulator.resize(columns, rows);
    this.#terminal.resize(rows, columns);
  }

  async ended(): Promise<number | null> {
    return this.#terminal.ended();
  }

  /** Everything that the program wrote, with control sequences. */
  get written(): string {
    return this.#terminal.shown;
  }

  /** The lines of the screen, without blanks at their ends. */
  async screen(): Promise<string[]> {
    const { shown } = this.#terminal;
    const rest = shown.slice(this.#drawn);
    this.#drawn = shown.length;
    await new Promise<void>((resolve) => this.#emulator.write(rest, resolve));
    const { active } = this.#emulator.buffer;
    return Array.from(
      { length: this.#emulator.rows },
      (_, row) =>
        active
          .getLine(active.viewportY + row)
          ?.translateToString(true)
          .trimEnd() ?? "",
    );
  }

  /** Whether the program has the terminal's other screen. */
  get isFullScreen(): boolean {
    return this.#emulator.buffer.active.type === "alternate";
  }

  /** Whether a part of a frame is still to come. */
  get #isDrawing(): boolean {
    const drawn = this.#terminal.shown.slice(0, this.#drawn);
    return drawn.lastIndexOf("\u001b[?2026h") > drawn.lastIndexOf("\u001b[?2026l");
  }

  /** Waits until the screen is such, and returns it. */
  async until(isSuch: (screen: string) => boolean): Promise<string[]> {
    const latest = performance.now() + PATIENCE;
    for (;;) {
      const lines = await this.screen();
      if (!this.#isDrawing && isSuch(lines.join("\n"))) return lines;
      if (performance.now() > latest) throw new Error(`the screen is not as expected:\n${lines.join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Types keys, and waits until the screen contains a text. */
  async press(keys: string, text: string): Promise<string[]> {
    this.type(keys);
    return this.until((screen) => screen.includes(text));
  }
}

export const keys = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  ctrlC: "\u0003",
  ctrlZ: "\u001a",
} as const;
