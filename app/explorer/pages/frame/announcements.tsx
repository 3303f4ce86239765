import { signal } from "@preact/signals";
import type { JSX } from "preact";

const text = signal("");

/** Reads a sentence to screen readers, without moving the focus. */
export function announce(sentence: string): void {
  text.value = sentence;
}

/** Where announcements are read from. */
export function Announcements(): JSX.Element {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text.value}
    </div>
  );
}
