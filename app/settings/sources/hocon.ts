import type { FileContents, Given } from "./given.ts";
import type { Raw } from "../kinds/kind.ts";
import { Scanner, SyntaxProblem } from "./scanner.ts";

/** The value of a name in HOCON. */
type Node =
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "null" }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly members: readonly Member[] };

interface Member {
  /** Dotted names are nested. */
  readonly path: readonly string[];
  readonly node: Node;
  readonly line: number;
}

/**
 * Reads the part of HOCON that PuppetDB's files use, including JSON: objects, lists, dotted names, comments, quoted and
 * bare texts. Unsupported syntax (`include`, `${…}`, `+=`) is an error that names it. The last value of a name counts.
 */
export function readHocon(text: string, path: string): FileContents {
  try {
    const given = new Map<string, Given>();
    for (const { path: names, node, line } of readRoot(new Scanner(text))) {
      collect(names, node, line, path, given);
    }
    return { given: [...given.values()], problems: [] };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { given: [], problems: [`${path}:${error.line}: ${error.message}`] };
  }
}

/** Every value by its full name; a nested one has its own line. */
function collect(names: readonly string[], node: Node, line: number, path: string, given: Map<string, Given>): void {
  if (node.kind === "object") {
    for (const member of node.members) collect([...names, ...member.path], member.node, member.line, path, given);
    return;
  }
  const [section = "", ...rest] = names;
  const name = rest.join(".");
  const key = JSON.stringify([section, name]);
  if (node.kind === "null") given.delete(key);
  else given.set(key, { section, name, raw: rawOf(node), place: { kind: "file", path, line } });
}

function rawOf(node: Node): Raw | undefined {
  if (node.kind === "scalar") return node.text;
  if (node.kind !== "list") return undefined;
  const texts = node.items.map((item) => (item.kind === "scalar" ? item.text : undefined));
  return texts.some((text) => text === undefined) ? undefined : texts.filter((text) => text !== undefined);
}

function readRoot(scanner: Scanner): readonly Member[] {
  scanner.skipBlank();
  if (!scanner.take("{")) return readMembers(scanner, undefined);
  const members = readMembers(scanner, "}");
  scanner.skipBlank();
  if (!scanner.ended) throw scanner.problem("unexpected text after the closing }");
  return members;
}

function readMembers(scanner: Scanner, close: "}" | undefined): Member[] {
  const members: Member[] = [];
  for (;;) {
    scanner.skipBlank(",");
    if (close !== undefined && scanner.take(close)) return members;
    if (scanner.ended) {
      if (close === undefined) return members;
      throw scanner.problem("missing } at the end");
    }
    members.push(readMember(scanner));
  }
}

function readMember(scanner: Scanner): Member {
  const { line } = scanner;
  const path = scanner.readName();
  scanner.skipSpaces();
  const isObject = scanner.sees("{");
  if (!isObject && !scanner.take("=") && !scanner.take(":")) {
    const isInclude = path.length === 1 && path[0] === "include";
    throw scanner.problem(isInclude ? "include is not supported" : `expected = or : after ${path.join(".")}`);
  }
  scanner.skipBlank();
  return { path, node: readNode(scanner), line };
}

function readNode(scanner: Scanner): Node {
  if (scanner.take("{")) return { kind: "object", members: readMembers(scanner, "}") };
  if (scanner.take("[")) return { kind: "list", items: readItems(scanner) };
  const { text, isQuoted } = scanner.readScalar();
  return text === "null" && !isQuoted ? { kind: "null" } : { kind: "scalar", text };
}

function readItems(scanner: Scanner): Node[] {
  const items: Node[] = [];
  for (;;) {
    scanner.skipBlank(",");
    if (scanner.take("]")) return items;
    if (scanner.ended) throw scanner.problem("missing ] at the end");
    items.push(readNode(scanner));
  }
}
