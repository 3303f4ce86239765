import type { JSX } from "preact";
import { useGrowing } from "../list/growing.tsx";
import { beginning } from "../value/text.ts";
import { marked } from "../value/value.tsx";
import type { DiffLine } from "./text-diff.ts";

/** Longer lines are cut. Characters. */
const LONGEST_LINE = 1000;

/** A unified diff: signs and colours say what was added and removed. */
export function DiffView({ lines }: { readonly lines: readonly DiffLine[] }): JSX.Element {
  const { shown, more } = useGrowing(lines, { step: 100, noun: "lines of the difference" });
  return (
    <>
      <code class="diff">
        {shown.map(({ kind, text }, index) => (
          // Lines have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <span key={index} class={`diff-line diff-${kind}`}>
            {marked(beginning(text, LONGEST_LINE))}
            {text.length > LONGEST_LINE ? "…" : ""}
          </span>
        ))}
      </code>
      {more}
    </>
  );
}
