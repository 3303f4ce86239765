import type { JSX } from "preact";
import { beginning } from "../value/text.ts";
import { marked } from "../value/value.tsx";

const LONGEST = 2000;

/** A text with the places marked where something was found. @param needle lower case; empty: nothing is marked */
export function Found({ text, needle }: { readonly text: string; readonly needle: string }): JSX.Element {
  const shown = beginning(text, LONGEST);
  const cut = shown.length < text.length ? "…" : "";
  const lower = shown.toLowerCase();
  // Some characters have more in lower case: places would not be the same.
  if (needle === "" || lower.length !== shown.length) {
    return (
      <bdi>
        {marked(shown)}
        {cut}
      </bdi>
    );
  }
  const parts: JSX.Element[] = [];
  let end = 0;
  for (let at = lower.indexOf(needle); at !== -1 && parts.length < 200; at = lower.indexOf(needle, end)) {
    parts.push(
      <span key={`${at} before`}>{marked(shown.slice(end, at))}</span>,
      <mark key={at}>{marked(shown.slice(at, at + needle.length))}</mark>,
    );
    end = at + needle.length;
  }
  return (
    <bdi>
      {parts}
      {marked(shown.slice(end))}
      {cut}
    </bdi>
  );
}
