import type { Json } from "#storage/json.ts";
import { parseField } from "./field.ts";
import { FUNCTIONS } from "./grammar.ts";
import { parseString } from "./literal.ts";
import type { Scanner } from "./scanner.ts";

/**
 * Reads fields and functions with commas between them, at least one; undefined where there is none.
 * @param closers what may follow the last one
 */
export function parseItems(scanner: Scanner, closers: readonly string[]): Json[] | undefined {
  const followers = [",", ...closers];
  const items: Json[] = [];
  for (;;) {
    const item = parseFunction(scanner) ?? parseField(scanner, followers);
    if (item === undefined) return undefined;
    items.push(item);
    if (!parseComma(scanner)) return items;
  }
}

/** Reads a comma with white space around it. */
function parseComma(scanner: Scanner): boolean {
  const start = scanner.position;
  scanner.space();
  if (!scanner.literal(",")) {
    scanner.position = start;
    return false;
  }
  scanner.space();
  return true;
}

/** Reads a function of the projection: `count()`, `avg(value)`, `to_string(receive_time, "DAY")`. */
export function parseFunction(scanner: Scanner): Json | undefined {
  const start = scanner.position;
  const name = FUNCTIONS.find((name) => scanner.literal(name));
  const args = name === undefined ? undefined : parseArguments(scanner);
  if (name !== undefined && args !== undefined) return ["function", name, ...args];
  scanner.position = start;
  return undefined;
}

function parseArguments(scanner: Scanner): string[] | undefined {
  scanner.space();
  if (!scanner.literal("(")) return undefined;
  scanner.space();
  const args: string[] = [];
  const first = parseString(scanner) ?? parseField(scanner, [",", ")"], true);
  if (first !== undefined) {
    args.push(first);
    while (parseComma(scanner)) {
      const text = parseString(scanner);
      if (text === undefined) return undefined;
      args.push(text);
    }
    scanner.space();
  }
  return scanner.literal(")") ? args : undefined;
}
