import { emitKeypressEvents, type Interface, type Key } from "node:readline";

/** The names of keys that Node calls otherwise. */
const named: Readonly<Record<string, string>> = { pageup: "page-up", pagedown: "page-down", return: "enter" };
/** Keys that are no characters. */
const isNamed = /^(?:up|down|left|right|page-up|page-down|home|end|enter|escape|tab|backspace|delete)$/;
/** Milliseconds in which the rest of a sequence arrives; after them, its first character was the key Escape. */
const ESCAPE_TIMEOUT = 50;

const ENTER_SCREEN = "\x1b[?1049h\x1b[?25l";
const LEAVE_SCREEN = "\x1b[?25h\x1b[?1049l";
const CLEAR = "\x1b[2J";
/** Synchronized output: a terminal that knows it shows a frame when its end has arrived; others ignore it. */
const FRAME = ["\x1b[?2026h", "\x1b[?2026l"] as const;

/** The alternate screen of the terminal, with what is shown there. */
export interface Screen {
  /** Shows these lines, none of which is wider than the terminal; writes only those that changed. */
  show(lines: readonly string[]): void;
  /** Restores the terminal. */
  close(): Promise<void>;
}

/**
 * Opens the alternate screen.
 * @param onKey called with each key: a character, or a name such as `up`, `enter`, `ctrl-c`, `shift-tab`
 */
export function openScreen(onKey: (key: string) => void): Screen {
  const { stdin, stdout } = process;
  let shown: readonly string[] = [];
  const press = (text: string | undefined, key: Key): void => onKey(nameOf(text, key));
  // A terminal that changes its size may move what it shows.
  const forget = (): void => {
    shown = [];
    stdout.write(CLEAR);
  };
  // Node reads this one property of an interface.
  emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_TIMEOUT } as unknown as Interface);
  stdin.setRawMode(true).resume().on("keypress", press);
  stdout.prependListener("resize", forget);
  stdout.write(ENTER_SCREEN + CLEAR);
  return {
    show: (lines) => {
      const rows = Array.from({ length: Math.max(lines.length, shown.length) }, (_, row) => row);
      const changed = rows.filter((row) => lines[row] !== shown[row]);
      stdout.write(FRAME[0] + changed.map((row) => `\x1b[${row + 1};1H${lines[row] ?? ""}\x1b[K`).join("") + FRAME[1]);
      shown = lines;
    },
    close: async () => {
      stdout.off("resize", forget);
      stdin.off("keypress", press).setRawMode(false).pause();
      await new Promise((resolve) => {
        stdout.write(LEAVE_SCREEN, resolve);
      });
    },
  };
}

function nameOf(text: string | undefined, { name = "", ctrl = false, shift = false }: Key): string {
  const own = named[name] ?? name;
  if (isNamed.test(own)) return shift && own === "tab" ? "shift-tab" : own;
  return ctrl ? `ctrl-${own}` : (text ?? own);
}
