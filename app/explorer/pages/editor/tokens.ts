import { ALL_ENTITIES, FUNCTIONS } from "#storage/query/pql/grammar.ts";
import { entities } from "#storage/query/entities/index.ts";
import { pqlComparisons, pqlNullTests } from "#storage/query/spellings.ts";

/** What a piece of a query is, for its colour. */
export type TokenKind =
  | "entity"
  | "function"
  | "field"
  | "keyword"
  | "operator"
  | "string"
  | "number"
  | "bracket"
  | "space"
  | "other";

/** A piece of a query that ends at `end`. */
export interface Token {
  readonly kind: TokenKind;
  /** Characters from the start of the text. */
  readonly end: number;
}

const keywords = [
  "and",
  "or",
  "in",
  "is",
  "not",
  "null",
  "group",
  "order",
  "by",
  "limit",
  "offset",
  "asc",
  "desc",
  "true",
  "false",
];
const fields: ReadonlySet<string> = new Set([
  "node_state",
  ...Object.values(entities).flatMap((entity) => Object.keys(entity.fields)),
]);
const symbols = [...pqlComparisons, ...pqlNullTests]
  .map(({ symbol }) => symbol)
  .filter((symbol) => !/\w/.test(symbol))
  .sort((a, b) => b.length - a.length)
  .map((symbol) => symbol.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));

const rules: readonly (readonly [TokenKind, RegExp])[] = [
  ["space", /\s+/y],
  // A quoted part of a dotted name belongs to the name.
  ["field", /(?:facts|trusted|parameters)(?:\.(?:"[^"\n]*"|match\([^)]*\)|[^\s.",[\]!<=>~{}()]+)(?:\[\d+\])*)+/y],
  ["string", /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)/y],
  ["number", /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w-])/y],
  ["operator", new RegExp(`${symbols.join("|")}|!`, "y")],
  ["bracket", /[[\](){}]/y],
  ["other", /,/y],
];
const WORD = /[A-Za-z_][\w-]*\??/y;

/** The token that begins at `start`; anything else is one character. */
export function tokenAt(text: string, start: number): Token {
  for (const [kind, expression] of rules) {
    expression.lastIndex = start;
    const found = expression.exec(text)?.[0];
    if (found !== undefined && found !== "") return { kind, end: start + found.length };
  }
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return { kind: "other", end: start + 1 };
  return { kind: wordKind(word, text, start + word.length), end: start + word.length };
}

function wordKind(word: string, text: string, end: number): TokenKind {
  const next = /^\s*([[{(]?)/.exec(text.slice(end, end + 100))?.[1];
  if (includes(ALL_ENTITIES, word) && (next === "{" || next === "[")) return "entity";
  if (includes(FUNCTIONS, word) && next === "(") return "function";
  if (keywords.includes(word)) return "keyword";
  if (fields.has(word)) return "field";
  return includes(ALL_ENTITIES, word) ? "entity" : "other";
}

function includes(words: readonly string[], word: string): boolean {
  return words.includes(word);
}

/** All tokens of a text. */
export function tokensOf(text: string): (Token & { readonly start: number })[] {
  const tokens: (Token & { start: number })[] = [];
  for (let start = 0; start < text.length;) {
    const token = tokenAt(text, start);
    tokens.push({ ...token, start });
    start = token.end;
  }
  return tokens;
}
