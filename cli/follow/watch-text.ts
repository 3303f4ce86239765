import { cellText, rowObject } from "#storage/output/cells.ts";
import { paints, style } from "../colours.ts";
import { printable } from "../output/printable.ts";
import type { Change } from "./row-changes.ts";

/** A change as lines for people: `+` and `-` with the values of the rows. */
export function changeText({ time, added, removed }: Change, isColoured: boolean): string {
  const at = paints(isColoured).faint(time.replace(/^(.{10})T(.{8}).*$/s, "$1 $2Z"));
  const signs = [
    ...removed.map((row) => ({ sign: "-", row, paint: style(31, 39) })),
    ...added.map((row) => ({ sign: "+", row, paint: style(32, 39) })),
  ];
  return signs
    .map(({ sign, row, paint }) => {
      const values = `${sign} ${valuesText(row)}`;
      return `${at}  ${isColoured ? paint(values) : values}\n`;
    })
    .join("");
}

/** A change as lines of JSON, one for each row. */
export function changeLines({ id, sequence, time, added, removed }: Change): string {
  const line = (kind: string, row: string): string =>
    `${JSON.stringify({ change: kind, id, sequence, time }).slice(0, -1)},"row":${row}}\n`;
  return [...removed.map((row) => line("removed", row)), ...added.map((row) => line("added", row))].join("");
}

function valuesText(row: string): string {
  return Object.entries(rowObject(row))
    .map(([name, value]) => `${printable(name)}=${quotedText(printable(cellText(value)))}`)
    .join(" ");
}

function quotedText(text: string): string {
  return text === "" || /[\s"=]/.test(text) ? JSON.stringify(text) : text;
}
