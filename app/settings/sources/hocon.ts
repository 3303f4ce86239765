import { readFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { messageOf } from "#storage/errors.ts";
import type { FileContents } from "./given.ts";
import { type Definition, givenOf, type Node, type Piece } from "./hocon-values.ts";
import { Scanner, SyntaxProblem } from "./scanner.ts";

/** How deep files may include others; more is a circle. */
const MOST_INCLUDES = 20;

/** A file that is being read: its path for messages, and how many include it. */
interface Source {
  readonly path: string;
  readonly depth: number;
}

/** An error in a file that another one includes. */
class IncludedProblem extends Error {}

/**
 * Reads the part of HOCON that configurations of PuppetDB use, including JSON: objects, lists, dotted names, comments, quoted
 * and bare texts, `${name}` and `${?name}` of the same file or else the environment, texts and lists that are joined, `+=`,
 * `include "file"`. The last value of a name counts. Values keep their file and line, which no library of HOCON offers.
 */
export function readHocon(text: string, path: string, env: NodeJS.ProcessEnv = process.env): FileContents {
  try {
    return { given: givenOf(definitionsIn(text, { path, depth: 0 }), env), problems: [] };
  } catch (error) {
    if (error instanceof IncludedProblem) return { given: [], problems: [error.message] };
    if (!(error instanceof SyntaxProblem)) throw error;
    return { given: [], problems: [`${path}:${error.line}: ${error.message}`] };
  }
}

function definitionsIn(text: string, source: Source): Definition[] {
  const scanner = new Scanner(text);
  scanner.skipBlank();
  if (!scanner.take("{")) return readMembers(scanner, source, undefined);
  const members = readMembers(scanner, source, "}");
  scanner.skipBlank();
  if (!scanner.ended) throw scanner.problem("unexpected text after the closing }");
  return members;
}

function readMembers(scanner: Scanner, source: Source, close: "}" | undefined): Definition[] {
  const members: Definition[] = [];
  for (;;) {
    scanner.skipBlank(",");
    if (close !== undefined && scanner.take(close)) return members;
    if (scanner.ended) {
      if (close === undefined) return members;
      throw scanner.problem("missing } at the end");
    }
    members.push(...(readInclude(scanner, source) ?? [readMember(scanner, source)]));
  }
}

function readMember(scanner: Scanner, source: Source): Definition {
  const { line } = scanner;
  const name = scanner.readName();
  scanner.skipSpaces();
  const adds = scanner.take("+=");
  if (!adds && !scanner.sees("{") && !scanner.take("=") && !scanner.take(":")) {
    throw scanner.problem(`expected = or : after ${name.join(".")}`);
  }
  scanner.skipBlank();
  return { name, adds, node: readNode(scanner, source), path: source.path, line };
}

/** `include "file"`, `include file("file")`, and both within `required(…)`: the content of another file. */
function readInclude(scanner: Scanner, source: Source): Definition[] | undefined {
  const found = scanner.readInclude();
  if (found === undefined) return undefined;
  const { name, isRequired } = found;
  const path = resolve(dirname(source.path), name);
  if (source.depth >= MOST_INCLUDES) throw scanner.problem(`${path} includes itself`);
  const included = [".conf", ".json", ""].includes(extname(name)) ? textOf(path) : undefined;
  if (included === undefined) throw scanner.problem(`cannot include ${name}: only .conf and .json files`);
  if ("error" in included) {
    if (!isRequired && included.isMissing) return [];
    throw scanner.problem(`cannot include ${path}: ${included.error}`);
  }
  try {
    return definitionsIn(included.text, { path: included.path, depth: source.depth + 1 });
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    throw new IncludedProblem(`${included.path}:${error.line}: ${error.message}`, { cause: error });
  }
}

type Included =
  | { readonly path: string; readonly text: string }
  | { readonly error: string; readonly isMissing: boolean };

/** The text of a file, whose ending may be left out. */
function textOf(path: string): Included {
  const names = extname(path) === "" ? [`${path}.conf`, `${path}.json`, path] : [path];
  let error = "does not exist";
  for (const name of names) {
    try {
      return { path: name, text: readFileSync(name, "utf8") };
    } catch (failed) {
      if ((failed as NodeJS.ErrnoException).code === "ENOENT") continue;
      error = messageOf(failed);
    }
  }
  return { error, isMissing: error === "does not exist" };
}

/** A value: pieces that follow each other on a line. */
function readNode(scanner: Scanner, source: Source): Node {
  const pieces: Piece[] = [];
  for (;;) {
    const piece = readPiece(scanner, source);
    if (piece === undefined) break;
    pieces.push(piece);
    const gap = scanner.readSpaces();
    if (gap !== "") pieces.push({ kind: "gap", text: gap });
  }
  if (pieces.at(-1)?.kind === "gap") pieces.pop();
  if (pieces.length === 0) throw scanner.problem(`expected a value, found ${scanner.next}`);
  if (!scanner.endsValue) throw scanner.problem(`expected the end of the value, found ${scanner.next}`);
  return pieces;
}

function readPiece(scanner: Scanner, source: Source): Piece | undefined {
  const reference = scanner.readReference();
  if (reference !== undefined) return { kind: "reference", ...reference };
  if (scanner.take("{")) return { kind: "object", members: readMembers(scanner, source, "}") };
  if (scanner.take("[")) return { kind: "list", items: readItems(scanner, source) };
  const text = scanner.readText();
  return text && { kind: "text", ...text };
}

function readItems(scanner: Scanner, source: Source): Node[] {
  const items: Node[] = [];
  for (;;) {
    scanner.skipBlank(",");
    if (scanner.take("]")) return items;
    if (scanner.ended) throw scanner.problem("missing ] at the end");
    items.push(readNode(scanner, source));
  }
}
