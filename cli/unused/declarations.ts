/** A class or a defined type that a manifest declares. */
export interface Declaration {
  readonly kind: "class" | "define";
  /** In lower case, without `::` at its beginning. */
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
}

const DECLARATION =
  /(?<![\w:$'"-])(?<kind>class|define)\s+(?<name>(?:::)?[a-z]\w*(?:::[a-z]\w*)*)\s*(?=[({]|inherits\s)/g;

/** The classes and defined types of a manifest, in the order in which they are declared. */
export function declarationsOf(manifest: string): Declaration[] {
  const code = withoutTexts(manifest);
  let line = 1;
  let place = 0;
  return [...code.matchAll(DECLARATION)].map(({ index, groups }) => {
    line += linesIn(code.slice(place, index));
    place = index;
    const kind = groups?.["kind"] === "define" ? "define" : "class";
    return { kind, name: (groups?.["name"] ?? "").replace(/^::/, ""), line };
  });
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

/** What is no code; of a text in double quotes and of a heredoc (`@(END)`) only the beginning. */
const TEXTS = new RegExp(
  [
    String.raw`#[^\n]*`,
    String.raw`\/\*[^]*?(?:\*\/|$)`,
    String.raw`'(?:[^'\\]|\\[^])*(?:'|$)`,
    String.raw`@\([ \t]*"?(?<tag>[^"\n:/)]{1,100}?)"?[ \t]*(?::[^\n/)]{0,100})?(?:\/[^\n)]{0,20})?\)[^\n]*`,
    // A pattern follows an operator or the beginning of an expression; elsewhere a slash divides.
    String.raw`(?<=(?:[~(,{[=]|\bnode|\bcase|\bif|\bunless|\band|\bor|\bin)[ \t]*)\/(?:[^/\\\n]|\\[^\n])+\/`,
    '"',
  ].join("|"),
  "g",
);

/** The manifest with comments, texts and patterns as blanks; lines stay where they are. */
function withoutTexts(manifest: string): string {
  const texts = new RegExp(TEXTS);
  const unfinished = new Set<string>();
  let code = "";
  let place = 0;
  for (let match = texts.exec(manifest); match !== null; match = texts.exec(manifest)) {
    const end = endOfText(manifest, match, unfinished);
    code += manifest.slice(place, match.index) + blanks(manifest.slice(match.index, end));
    place = end;
    texts.lastIndex = end;
  }
  return code + manifest.slice(place);
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** @param unfinished names of heredocs whose end was not found */
function endOfText(manifest: string, match: RegExpExecArray, unfinished: Set<string>): number {
  const end = match.index + match[0].length;
  if (match[0] === '"') return endOfString(manifest, end);
  const tag = match.groups?.["tag"];
  if (tag === undefined || unfinished.has(tag)) return end;
  const last = new RegExp(`\\n[ \\t]*(?:\\|[ \\t]*)?(?:-[ \\t]*)?${escaped(tag)}[ \\t]*(?=\\r?\\n|$)`, "g");
  last.lastIndex = end;
  if (last.exec(manifest) !== null) return last.lastIndex;
  unfinished.add(tag);
  return end;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

/** Where a text in double quotes ends; expressions in it may have texts of their own: `"${facts["os"]}"`. */
function endOfString(manifest: string, start: number): number {
  /** Braces that are open; 0: outside of expressions. */
  let depth = 0;
  /** The quote of the text that is open inside an expression. */
  let quote = "";
  for (let index = start; index < manifest.length; index++) {
    const character = manifest[index] ?? "";
    if (character === "\\") index += 1;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (depth === 0 && character === '"') return index + 1;
    else if (depth > 0 && /['"]/.test(character)) quote = character;
    else if (character === "{" && (depth > 0 || manifest[index - 1] === "$")) depth += 1;
    else if (character === "}" && depth > 0) depth -= 1;
  }
  return manifest.length;
}
