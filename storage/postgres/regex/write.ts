import { LAST_CODE_POINT, WORD } from "./charset.ts";
import type { CharSet, Node, Place, Range } from "./tree.ts";

/** The parts of the syntax that differ between engines. */
interface Dialect {
  code: WriteCode;
  set(set: CharSet): string;
  places: Readonly<Partial<Record<Place, string>>>;
}

type WriteCode = (code: number) => string;

const re2Code: WriteCode = (code) => plainCode(code) ?? `\\x{${code.toString(16)}}`;
const jsCode: WriteCode = (code) => plainCode(code) ?? `\\u{${code.toString(16)}}`;

/** Letters and digits are written literally, everything else by number, so that nothing is mistaken for syntax. */
function plainCode(code: number): string | undefined {
  const text = String.fromCharCode(code);
  return code < 0x80 && /[a-z0-9]/i.test(text) ? text : undefined;
}

const re2: Dialect = {
  code: re2Code,
  set(set) {
    const items = setItems(set, re2Code);
    if (items === "" && !set.nonWord) return set.negated ? "(?s:.)" : `[^\\x{0}-\\x{${LAST_CODE_POINT.toString(16)}}]`;
    if (!set.nonWord) return brackets(items, set.negated);
    const nonWord = brackets(setItems(WORD, re2Code), true);
    return items === "" ? nonWord : `(?:${brackets(items, false)}|${nonWord})`;
  },
  places: {
    "text-start": String.raw`\A`,
    "text-end": String.raw`\z`,
    "line-start": "(?m:^)",
    "line-end": "(?m:$)",
  },
};

const js: Dialect = {
  code: jsCode,
  set(set) {
    const nonWord = set.nonWord ? brackets(setItems(WORD, jsCode), true) : "";
    return brackets(setItems(set, jsCode) + nonWord, set.negated);
  },
  places: jsPlaces(),
};

function jsPlaces(): Record<Place, string> {
  const word = brackets(setItems(WORD, jsCode), false);
  const [before, notBefore, after, notAfter] = [`(?<=${word})`, `(?<!${word})`, `(?=${word})`, `(?!${word})`];
  return {
    "text-start": "^",
    "text-end": "$",
    "line-start": String.raw`(?<![^\n])`,
    "line-end": String.raw`(?![^\n])`,
    "word-start": notBefore + after,
    "word-end": before + notAfter,
    "word-edge": `(?:${notBefore}${after}|${before}${notAfter})`,
    "not-word-edge": `(?:${before}${after}|${notBefore}${notAfter})`,
  };
}

/** Whether RE2 can express this node, apart from its children. */
export function inRe2(node: Node): boolean {
  if (node.kind === "place") return re2.places[node.place] !== undefined;
  // RE2 cannot express the complement of a complement of categories.
  if (node.kind === "set") return !(node.set.nonWord && node.set.negated);
  return node.kind !== "look" && node.kind !== "reference";
}

/** The pattern in RE2's syntax; every node must be {@link inRe2}. */
export function writeRe2(root: Node): string {
  return write(root, re2, new Set());
}

/**
 * The source of a JavaScript regular expression with the flag `v`.
 * @param captured the numbers of the groups that back-references name
 */
export function writeJs(root: Node, captured: ReadonlySet<number>): string {
  return write(root, js, captured);
}

/** @param captured the numbers of the groups that have to capture */
function write(node: Node, dialect: Dialect, captured: ReadonlySet<number>): string {
  const inner = (child: Node): string => write(child, dialect, captured);
  switch (node.kind) {
    case "set":
      return writeSet(node.set, dialect);
    case "place":
      return dialect.places[node.place] ?? "";
    case "look":
      return `(?${node.behind ? "<" : ""}${node.negative ? "!" : "="}${inner(node.body)})`;
    case "group":
      return captured.has(node.number) ? `(?<g${node.number}>${inner(node.body)})` : `(?:${inner(node.body)})`;
    case "reference":
      return `\\k<g${node.number}>`;
    case "sequence":
      return node.parts.map((part) => (part.kind === "choice" ? `(?:${inner(part)})` : inner(part))).join("");
    case "choice":
      return node.branches.map(inner).join("|");
    default:
      return (isAtom(node.body) ? inner(node.body) : `(?:${inner(node.body)})`) + quantifier(node.min, node.max);
  }
}

/** Whether a quantifier may directly follow it. */
function isAtom(node: Node): boolean {
  return node.kind === "set" || node.kind === "reference" || node.kind === "group";
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function writeSet(set: CharSet, dialect: Dialect): string {
  const [only, ...more] = set.ranges;
  const single = only && more.length === 0 && only[0] === only[1] && only[0] <= LAST_CODE_POINT;
  const plain = !set.negated && !set.nonWord && set.categories.length === 0;
  return single && plain ? dialect.code(only[0]) : dialect.set(set);
}

function setItems(set: CharSet, write: WriteCode): string {
  const range = ([first, last]: Range): string => (first === last ? write(first) : `${write(first)}-${write(last)}`);
  const known = set.ranges
    .filter(([first]) => first <= LAST_CODE_POINT)
    .map(([first, last]): Range => [first, Math.min(last, LAST_CODE_POINT)]);
  return known.map(range).join("") + set.categories.map((category) => `\\p{${category}}`).join("");
}

function brackets(items: string, negated: boolean): string {
  return `[${negated ? "^" : ""}${items}]`;
}

/** The numbers of the groups that back-references name. */
export function referenced(node: Node): Set<number> {
  const below = childrenOf(node).flatMap((child) => [...referenced(child)]);
  return new Set(node.kind === "reference" ? [node.number] : below);
}

/** The nodes directly below `node`. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "look":
    case "group":
    case "repeat":
      return [node.body];
    case "sequence":
      return node.parts;
    case "choice":
      return node.branches;
    default:
      return [];
  }
}
