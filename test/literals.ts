/** The texts of the string and template literals of TypeScript source, a template in its pieces between `${…}`. */
export function literalsIn(source: string): string[] {
  const literals: string[] = [];
  /** For each template around the place, how many braces are open in its expression. */
  const braces: number[] = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at, at + LONGEST);
    const [skipped] = /^(?:\/\/.*|\/\*[\s\S]*?\*\/|[\w$]+|\s+)/.exec(rest) ?? [];
    const [quoted] = /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/.exec(rest) ?? [];
    const [regex] = isRegexBegin(source, at) ? (REGEX.exec(rest) ?? []) : [];
    const character = source[at];
    const endsExpression = character === "}" && braces.at(-1) === 0;
    if (quoted !== undefined) literals.push(quoted.slice(1, -1));
    if (character === "`" || endsExpression) {
      const [piece = "", end = ""] = /^(?:[^\\`$]|\\[\s\S]|\$(?!\{))*(`|\$\{|$)/.exec(source.slice(at + 1)) ?? [];
      literals.push(piece.slice(0, piece.length - end.length));
      if (endsExpression) braces.pop();
      if (end === "${") braces.push(0);
      at += 1 + piece.length;
      continue;
    }
    const open = braces.length - 1;
    if (open >= 0 && character === "{") braces[open] = (braces[open] ?? 0) + 1;
    if (open >= 0 && character === "}") braces[open] = (braces[open] ?? 0) - 1;
    at += (skipped ?? quoted ?? regex ?? " ").length;
  }
  return literals;
}

/** Comments are not longer, characters. */
const LONGEST = 20_000;

const REGEX = /^\/(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/[a-z]*/;

/** Whether a slash begins a regular expression rather than divides. */
function isRegexBegin(source: string, at: number): boolean {
  return source[at] === "/" && /(?:^|[(,=:[!&|?{};+>]|\breturn)\s*$/.test(source.slice(Math.max(0, at - 40), at));
}
