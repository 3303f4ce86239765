import { createElement } from "react";
import { type Key, render, Text, useInput } from "ink";

/** The names of keys that are not characters. */
const named = {
  upArrow: "up",
  downArrow: "down",
  leftArrow: "left",
  rightArrow: "right",
  pageUp: "page-up",
  pageDown: "page-down",
  home: "home",
  end: "end",
  return: "enter",
  escape: "escape",
  tab: "tab",
  backspace: "backspace",
  delete: "delete",
} as const satisfies Partial<Record<keyof Key, string>>;

/** Characters that are keys of their own, also where several keys arrive together. */
const control: Readonly<Record<string, string>> = { "\r": "enter", "\n": "enter", "\t": "tab" };

/** The alternate screen of the terminal, with what is shown there. */
export interface Screen {
  show(lines: readonly string[]): void;
  /** Restores the terminal. */
  close(): Promise<void>;
}

interface FrameProperties {
  readonly lines: readonly string[];
  readonly onKey: (key: string) => void;
}

/**
 * Opens the alternate screen.
 * @param onKey called with each key: a character, or a name such as `up`, `enter`, `ctrl-c`, `shift-tab`
 */
export function openScreen(onKey: (key: string) => void): Screen {
  const frame = (lines: readonly string[]) => createElement(Frame, { lines, onKey });
  const { rerender, unmount, waitUntilExit } = render(frame([]), {
    alternateScreen: true,
    interactive: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  });
  const ended = waitUntilExit();
  return {
    show: (lines) => rerender(frame(lines)),
    close: async () => {
      unmount();
      await ended;
    },
  };
}

function Frame({ lines, onKey }: FrameProperties) {
  useInput((input, key) => {
    for (const name of keysOf(input, key)) onKey(name);
  });
  return createElement(Text, { wrap: "truncate" }, lines.join("\n"));
}

/** The keys of one piece of input, which has several if they were typed fast. */
function keysOf(input: string, key: Key): string[] {
  const [name] = Object.entries(named).flatMap(([flag, name]) => (key[flag as keyof typeof named] ? [name] : []));
  if (name !== undefined) return [key.shift && name === "tab" ? "shift-tab" : name];
  if (key.ctrl) return [`ctrl-${input}`];
  return Array.from(input, (character) => control[character] ?? character);
}
