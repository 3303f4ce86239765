import { structuredPatch } from "diff";
import type { DiffLine } from "./diff-lines.ts";

/** Lines around a changed one that are shown as well. */
const CONTEXT = 2;
/** With more edits than this, two texts are shown one after the other. */
const MOST_EDITS = 2000;

/** The lines in which two texts differ, with those around them; undefined where too much differs. */
export function textDiff(from: string, to: string): readonly DiffLine[] | undefined {
  const patch = structuredPatch("", "", from, to, "", "", { context: CONTEXT, maxEditLength: MOST_EDITS });
  return patch?.hunks.flatMap(({ oldStart, newStart, lines }) => [
    { kind: "place" as const, text: `line ${oldStart}${oldStart === newStart ? "" : `, now ${newStart}`}` },
    ...lines.map((text) => ({ kind: kindOf(text), text })),
  ]);
}

function kindOf(line: string): DiffLine["kind"] {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
