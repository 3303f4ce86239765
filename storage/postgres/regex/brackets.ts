import { characterClass, characters, union } from "./charset.ts";
import { RegexError } from "./error.ts";
import { readEscape } from "./escapes.ts";
import type { Options } from "./options.ts";
import type { Reader } from "./reader.ts";
import type { CharSet } from "./tree.ts";

type Item =
  | { readonly kind: "end" }
  /** a hyphen that is neither first nor last */
  | { readonly kind: "hyphen" }
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "." | "=" | ":"; readonly name: string };

/**
 * Reads a bracket expression after its `[`, up to and including its `]`. Items are read one ahead, which decides the
 * error that is reported for a pattern with two errors, as in PostgreSQL.
 * @param groups number of capturing groups opened before, for octal escapes
 * @throws RegexError
 */
export function readBrackets(reader: Reader, options: Options, groups: number): CharSet {
  const negated = reader.eat("^");
  const sets: CharSet[] = [];
  let item = readItem(reader, options, groups, true);
  const advance = (): Item => {
    const taken = item;
    item = readItem(reader, options, groups, false);
    return taken;
  };
  while (item.kind !== "end") {
    if (item.kind === "hyphen") throw new RegexError("range");
    const taken = advance();
    const first = rangeEnd(taken);
    if (first === undefined) {
      sets.push(wholeSet(taken, options));
      continue;
    }
    let last = first;
    // Reading the item changed `item`, which the narrowing above does not see.
    if ((item as Item).kind === "hyphen") {
      advance();
      if ((item as Item).kind === "end") throw new RegexError("range");
      last = rangeEnd(advance()) ?? fail("range");
      if (last < first) throw new RegexError("range");
    }
    sets.push(characters(first, last, options.ignoreCase));
  }
  if (negated && options.newlineStops) sets.push(characters(0x0a, 0x0a, false));
  return union(sets, negated);
}

function fail(fault: "range" | "collating" | "class"): never {
  throw new RegexError(fault);
}

/**
 * The code point of a collating element, which is one character. PostgreSQL's names of characters, such as `hyphen`,
 * are not supported.
 */
function collatingElement(name: string): number | undefined {
  const [character, ...more] = Array.from(name);
  return more.length === 0 ? character?.codePointAt(0) : undefined;
}

/** The code of an item that is allowed at either end of a range; undefined for others. */
function rangeEnd(item: Item): number | undefined {
  if (item.kind === "character") return item.code;
  if (item.kind === "hyphen") return 0x2d;
  return item.kind === "." ? (collatingElement(item.name) ?? fail("collating")) : undefined;
}

function wholeSet(item: Item, options: Options): CharSet {
  if (item.kind === "set") return item.set;
  if (item.kind === ":") return characterClass(item.name, options.ignoreCase) ?? fail("class");
  // No locale of PuppetDB's has an equivalence class of more than one character.
  const code = item.kind === "=" ? collatingElement(item.name) : undefined;
  return characters(code ?? fail("collating"), code ?? 0, options.ignoreCase);
}

function readItem(reader: Reader, options: Options, groups: number, first: boolean): Item {
  if (reader.done) throw new RegexError("brackets");
  const character = reader.next();
  if (character === "]" && !first) return { kind: "end" };
  if (character === "-" && !first && !reader.sees("]")) return { kind: "hyphen" };
  if (character === "[") {
    if (reader.done) throw new RegexError("brackets");
    for (const kind of [".", "=", ":"] as const) if (reader.eat(kind)) return { kind, name: readName(reader, kind) };
  }
  if (character === "\\" && options.syntax === "advanced") {
    const escape = readEscape(reader, groups);
    if (escape.kind === "character") return escape;
    if (escape.kind === "class") return { kind: "set", set: escape.set };
    throw new RegexError("escape");
  }
  return { kind: "character", code: character.codePointAt(0) ?? 0 };
}

function readName(reader: Reader, kind: string): string {
  let name = "";
  while (!reader.eat(`${kind}]`)) {
    if (reader.done) throw new RegexError("brackets");
    name += reader.next();
  }
  return name;
}
