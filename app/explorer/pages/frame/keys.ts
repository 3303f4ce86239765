import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { choice, stored } from "../data/stored.ts";

const storedChoice = stored("keys", choice(["on", "off"]));

/** Whether single keys do something. Ctrl-K always does. */
export const singleKeys = signal(storedChoice.read() === "on");

/** Switches single keys on or off, and remembers it (WCAG 2.1.4). */
export function switchSingleKeys(on: boolean): void {
  singleKeys.value = on;
  storedChoice.write(on ? "on" : "off");
}

/** What keys do: `r`, `?`, `g n` for one after the other, `Ctrl+K`. */
export type KeyBindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** How long the second key of two may take, ms. */
const SEQUENCE_MS = 1200;

/** The first key of two, and when it was pressed (`Event.timeStamp`, ms). */
interface FirstKey {
  readonly key: string;
  readonly at: number;
}

/** Handles keys while the component is shown. Single keys do nothing while a text is being written or a dialog is open. */
export function useKeys(bindings: KeyBindings): void {
  // The component may be rendered again between two keys: the first one is remembered meanwhile.
  const current = useRef(bindings);
  const first = useRef<FirstKey | undefined>(undefined);
  current.current = bindings;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.ctrlKey || event.metaKey) {
        run(`Ctrl+${event.key.toUpperCase()}`, event);
        return;
      }
      if (event.altKey || !singleKeys.peek() || writes(event)) return;
      const before = first.current;
      const pair = before && event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${event.key}` : undefined;
      first.current = { key: event.key, at: event.timeStamp };
      if (pair !== undefined && pair in current.current) {
        first.current = undefined;
        run(pair, event);
        return;
      }
      const begins = Object.keys(current.current).some((name) => name.startsWith(`${event.key} `));
      if (!begins) run(event.key, event);
    };
    const run = (name: string, event: KeyboardEvent): void => {
      const action = current.current[name];
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** Whether a field, the editor or a dialog receives a key. */
function writes(event: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("[contenteditable=true]") !== null) return true;
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || isTextField(target);
}

function isTextField(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}
