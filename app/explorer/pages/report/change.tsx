import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Json } from "#storage/json.ts";
import { isWhole, useGrowing } from "../list/growing.tsx";
import { beginning, compactJson } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";
import { friendly } from "#storage/display/friendly.ts";
import type { DiffLine } from "./text-diff.ts";
import type { ReportEvent } from "./rows.ts";

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

/** Longer texts are compared line by line. Characters. */
const LONG = 120;

/** Whether an event has an old and a new value that its message does not contain in full. */
export function hasChange({ status, old_value: old, new_value: now, message }: ReportEvent): boolean {
  if (old === null && now === null) return false;
  return status !== "failure" || message?.startsWith("change from") !== true;
}

/** A property's value before and after. */
export function Change({ event }: { readonly event: ReportEvent }): JSX.Element {
  const { old_value: old, new_value: now } = event;
  if (isLongText(old) && typeof now === "string") return <TextChange old={old} now={now} />;
  if (isLongText(now) && typeof old === "string") return <TextChange old={old} now={now} />;
  return (
    <span class="change">
      <Side value={old} /> <span aria-label="changed to">→</span> <Side value={now} />
    </span>
  );
}

/** A value; the long hash of a file's content is shortened. */
function Side({ value }: { readonly value: Json }): JSX.Element {
  const short = typeof value === "string" ? friendly(value, { certname: "" }) : value;
  return (
    <span class="change-side" title={short === value ? undefined : compactJson(value, 200)}>
      <Value value={short} limit={300} />
    </span>
  );
}

/** Whether a text is better compared line by line. */
export function isLongText(value: Json): value is string {
  return typeof value === "string" && (value.includes("\n") || value.length > LONG);
}

/** Two texts, compared when somebody wants to see it. */
export function TextChange({ old, now }: { readonly old: string; readonly now: string }): JSX.Element {
  const [lines, setLines] = useState<readonly DiffLine[] | "different" | undefined>(undefined);
  const compare = async (): Promise<void> => {
    const { textDiff } = await import("./text-diff.ts");
    setLines(textDiff(old, now) ?? "different");
  };
  const isWanted = isWhole.value;
  useEffect(() => {
    if (isWanted && lines === undefined) void compare();
  }, [isWanted]);
  if (lines === undefined) {
    return (
      <button type="button" class="plain" onClick={() => void compare()}>
        Show the changed lines
      </button>
    );
  }
  if (lines !== "different") return <DiffView lines={lines} />;
  return (
    <>
      <Value value={old} limit={300} /> → <Value value={now} limit={300} />
    </>
  );
}
