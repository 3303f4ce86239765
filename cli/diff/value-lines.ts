import { structuredPatch } from "diff";
import { type Json, stringifyJson } from "#storage/json.ts";
import type { ValueChange } from "#storage/diff/values.ts";
import { printable } from "../output/printable.ts";
import { type Look, marks } from "./paint.ts";

/** A line of a tree: depth, style, and text without line breaks and control characters. */
export interface TreeLine {
  readonly depth: number;
  readonly look?: Look;
  readonly text: string;
}

/** How one value differs: a line, or more where a text of several lines has been changed. */
export function valueLines(depth: number, name: string, change: ValueChange): TreeLine[] {
  const head = `${marks[change.kind]} ${printable(name)}`;
  const line = (text: string): TreeLine[] => [{ depth, look: change.kind, text: `${head}${text}` }];
  if (change.kind === "added") return line(`: ${valueText(change.to)}`);
  if (change.kind === "removed") return line(`: ${valueText(change.from)}`);
  const { from, to } = change;
  const inside = isText(from) && isText(to) ? textLines(depth + 1, from, to) : listLines(depth + 1, from, to);
  return inside === undefined ? line(`: ${valueText(from)} → ${valueText(to)}`) : [...line(":"), ...inside];
}

/** A value on one line: as JSON, with all digits of its numbers. */
export function valueText(value: Json): string {
  return printable(stringifyJson(value));
}

function isText(value: Json): value is string {
  return typeof value === "string" && value.includes("\n");
}

/** Lines that were taken out and put in, with those around them; undefined where too much has been changed. */
function textLines(depth: number, from: string, to: string): TreeLine[] | undefined {
  // With more edits than this, two texts are unrelated.
  const options = { context: 1, maxEditLength: 2000 };
  const patch = structuredPatch("", "", from, to, undefined, undefined, options);
  return patch?.hunks.flatMap(({ oldStart, lines }) => [
    { depth, look: "aside", text: `@ line ${oldStart}` } as const,
    ...lines.map((line): TreeLine => ({ depth, ...lookOfLine(line), text: printable(line) })),
  ]);
}

function lookOfLine(line: string): { look?: Look } {
  if (line.startsWith("+")) return { look: "added" };
  return line.startsWith("-") ? { look: "removed" } : {};
}

/**
 * The removed and the added elements of two lists; undefined for lists that differ only in their order, and other
 * values.
 */
function listLines(depth: number, from: Json, to: Json): TreeLine[] | undefined {
  if (!Array.isArray(from) || !Array.isArray(to)) return undefined;
  const [before, after] = [from.map(valueText), to.map(valueText)];
  const removed = without(before, after);
  const added = without(after, before);
  if (removed.length + added.length === 0) return undefined;
  return [
    ...removed.map((text): TreeLine => ({ depth, look: "removed", text: `- ${text}` })),
    ...added.map((text): TreeLine => ({ depth, look: "added", text: `+ ${text}` })),
  ];
}

/** Elements less as many of each as the others have. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const unmatched = [...others];
  return texts.filter((text) => {
    const at = unmatched.indexOf(text);
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
}
