import { structuredPatch } from "diff";

/** A line of a unified diff. */
export interface DiffLine {
  readonly kind: "head" | "place" | "added" | "removed" | "same";
  readonly text: string;
}

/** The lines of a message that is a unified diff, as Puppet logs for changed files; undefined for other messages. */
export function diffLines(message: string): readonly DiffLine[] | undefined {
  if (!/^--- .*\n\+\+\+ .*\n@@ /m.test(message)) return undefined;
  let isInside = false;
  return message
    .replaceAll(/^\n+|\n+$/g, "")
    .split("\n")
    .map((text) => {
      if (text.startsWith("@@")) {
        isInside = true;
        return { kind: "place", text };
      }
      if (!isInside || /^(?:--- |\+\+\+ )/.test(text)) return { kind: "head", text };
      if (text.startsWith("+")) return { kind: "added", text };
      return { kind: text.startsWith("-") ? "removed" : "same", text };
    });
}

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
