import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import { remark, type TextOutput } from "../stdout.ts";
import { cellText, rowObject } from "#storage/output/cells.ts";
import { counted } from "./counted.ts";
import { printable } from "./printable.ts";
import { cutToWidth } from "./fit.ts";
import { terminalOf } from "./terminal.ts";
import type { Rows, WriteOptions } from "./rows.ts";

/**
 * Writes rows of names and values as a tree, nested values indented below their name. Lines are truncated to the width
 * of the terminal. The number of rows goes to stderr.
 */
export async function writeTree(
  rows: Rows,
  output: TextOutput,
  { terminal = terminalOf() }: WriteOptions = {},
): Promise<void> {
  const columns = terminal?.columns ?? Number.POSITIVE_INFINITY;
  let count = 0;
  for await (const batch of rows) {
    count += batch.length;
    const lines = batch.map(rowObject).flatMap(({ name, value }) => treeLines(cellText(name), value ?? null));
    await output.write(lines.map((line) => `${cutToWidth(line, columns)}\n`).join(""));
  }
  remark(output, `${counted(count, "fact")}\n`);
}

/** A name with its value, nested values indented below it. */
export function treeLines(name: string, value: Json): string[] {
  return branch(name, value, "");
}

function branch(name: string, value: Json, indent: string): string[] {
  const head = `${indent}${printable(name)}`;
  if (Array.isArray(value)) return value.length === 0 ? [`${head}  []`] : [head, ...items(value, `${indent}  `)];
  if (isObject(value)) return isEmpty(value) ? [`${head}  {}`] : [head, ...members(value, `${indent}  `)];
  return [`${head}  ${scalar(value)}`];
}

function members(value: JsonObject, indent: string): string[] {
  const leaves = Object.entries(value).filter(([, member]) => typeof member !== "object" || member === null);
  const width = Math.max(0, ...leaves.map(([name]) => printable(name).length));
  return Object.entries(value).flatMap(([name, member]) => {
    const [head = "", ...below] = branch(name, member, indent);
    if (below.length > 0 || Array.isArray(member) || isObject(member)) return [head, ...below];
    return [`${indent}${printable(name).padEnd(width)}  ${scalar(member)}`];
  });
}

function items(values: readonly Json[], indent: string): string[] {
  return values.flatMap((value) => {
    if (!Array.isArray(value) && !isObject(value)) return [`${indent}- ${scalar(value)}`];
    const below = Array.isArray(value) ? items(value, `${indent}  `) : members(value, `${indent}  `);
    const [first = `${indent}  ${Array.isArray(value) ? "[]" : "{}"}`, ...others] = below;
    return [`${indent}- ${first.slice(indent.length + 2)}`, ...others];
  });
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

function scalar(value: Json): string {
  if (value === null) return "null";
  return value === "" ? '""' : printable(cellText(value));
}
