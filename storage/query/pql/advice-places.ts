import { BARE_PART, DIGITS, END_LABELS, FIELD, SPACE } from "./grammar.ts";
import type { Mistake, Rule } from "./mistake.ts";
import { quote, whatWasFound } from "./mistake.ts";
import { spellings } from "../spellings.ts";
import { tokenAt } from "./token.ts";

/** What is missing or too much, told by what could have stood there. */
export const PLACE_RULES: readonly Rule[] = [
  unclosedText,
  trailingText,
  pagingBehindGroupBy,
  dottedField,
  unfinishedPart,
  emptyList,
  missingList,
  badNumber,
  unquotedText,
  missingValue,
  missingBraces,
  missingOperator,
  missingCondition,
  missingField,
  missingConnective,
  missingComma,
  unclosedBracket,
];

function unclosedText({ found, expected }: Mistake): string | undefined {
  const [only] = expected;
  if (expected.length !== 1 || (only !== '"' && only !== "'")) return undefined;
  if (found === "") return `The query ends inside a text: close it with ${only}.`;
  return "A backslash at the end of a line escapes nothing: leave it out or double it.";
}

function trailingText({ text, index, expected }: Mistake): string | undefined {
  if (!expected.includes(END_LABELS[0])) return undefined;
  const rest = tokenAt(text, index + (text.slice(index).length - text.slice(index).trimStart().length));
  return `The query ends with its closing brace: leave out ${quote(rest)} and what follows.`;
}

function pagingBehindGroupBy(mistake: Mistake): string | undefined {
  const { found, expected } = mistake;
  if (!/^(?:limit|offset|order)$/.test(found) || expected.includes("limit")) return undefined;
  if (!expected.includes("}") || !expected.includes(",")) return undefined;
  return `${whatWasFound(mistake)}: a block with group by holds no paging: give it as parameters beside the query.`;
}

function dottedField({ text, index, found, expected }: Mistake): string | undefined {
  if (found !== "." || expected.includes(".") || expected.includes('"')) return undefined;
  if (/[^\w.][0-9]+$/.test(text.slice(Math.max(0, index - 25), index))) return "limit and offset take whole numbers.";
  return "Only facts, trusted and parameters have fields with dots.";
}

function unfinishedPart(mistake: Mistake): string | undefined {
  if (!mistake.expected.includes(BARE_PART.label)) return undefined;
  return `${whatWasFound(mistake)} where the next part of the field has to stand.`;
}

function emptyList({ found, expected }: Mistake): string | undefined {
  if (found !== "]" || !expected.includes('"')) return undefined;
  return "A list of values cannot be empty, nor end with a comma: write at least one value.";
}

function missingList(mistake: Mistake): string | undefined {
  const { expected } = mistake;
  const behindIn = expected.includes("[") && expected.includes("nodes") && !expected.includes("(");
  const behindArrow = expected.includes("[") && expected.every((label) => label === "[" || label === SPACE.label);
  if (!behindIn && !behindArrow) return undefined;
  const query = behindIn ? ", or a query such as nodes[certname]{…}" : "";
  return `${whatWasFound(mistake)} where a list has to stand: write the values in square brackets, ["a", "b"]${query}.`;
}

function badNumber(mistake: Mistake): string | undefined {
  const { text, index, found, expected } = mistake;
  const behindDigit = /[0-9]/.test(text.charAt(index - 1)) && /^[\w+]/.test(found);
  const atDigits = expected.includes(DIGITS.label) && (!expected.includes('"') || /^[+.]/.test(found));
  if (!atDigits && !(behindDigit && expected.includes("."))) return undefined;
  const behindPaging = /(?:limit|offset)\s+$/.test(text.slice(Math.max(0, index - 20), index));
  if (behindPaging) return `${whatWasFound(mistake)} where a whole number has to stand, such as 5.`;
  return `${whatWasFound(mistake)} in a number: numbers are written like 5, -5, 0.5 or 5.0e3.`;
}

function unquotedText(mistake: Mistake): string | undefined {
  const { found, expected } = mistake;
  if (!expected.includes('"') || !/^[\p{L}_]/u.test(found) || /^(?:true|false)$/.test(found)) return undefined;
  return `${whatWasFound(mistake)}: a text has to be in quotes: write "${found}".`;
}

const VALUES: readonly (readonly [label: string, words: string])[] = [
  ['"', "a text in quotes"],
  [DIGITS.label, "a number"],
  ["true", "true or false"],
];

function missingValue(mistake: Mistake): string | undefined {
  // A text may stand in the place of a field only as the argument of a function.
  if (!mistake.expected.includes('"') || mistake.expected.includes(FIELD.label)) return undefined;
  const values = VALUES.filter(([label]) => mistake.expected.includes(label)).map(([, words]) => words);
  return `${whatWasFound(mistake)} where a value has to stand: write ${values.join(", ")}.`;
}

function missingBraces(mistake: Mistake): string | undefined {
  const { text, index, found, expected } = mistake;
  if (!expected.includes("{")) return undefined;
  const entity = /([a-z_]+)\s*(?:\[[^\]]*\]\s*)?$/.exec(text.slice(Math.max(0, index - 200), index))?.[1] ?? "nodes";
  if (found === "[") return `Found ${quote(found)}: a subquery has no list of fields: write ${entity}{…}.`;
  return `${whatWasFound(mistake)}: an entity is followed by braces, with the filter in them: write ${entity}{…}.`;
}

const operatorSymbols = spellings
  .flatMap((operator) => {
    if (operator.form === "comparison" || operator.form === "null test")
      return operator.pql.map(({ symbol }) => symbol);
    return operator.form === "membership" ? [operator.pql] : [];
  })
  .join(", ");

function missingOperator(mistake: Mistake): string | undefined {
  if (!mistake.expected.includes("is null")) return undefined;
  return `${whatWasFound(mistake)} where an operator has to stand behind a field: write one of ${operatorSymbols}.`;
}

function missingCondition(mistake: Mistake): string | undefined {
  const { found, expected } = mistake;
  if (!expected.includes("!")) return undefined;
  if (found === '"' || found === "'") return `${whatWasFound(mistake)}: a field is written without quotes.`;
  if (found === "" && expected.includes("}")) return "The query ends inside a block: close it with }.";
  return `${whatWasFound(mistake)} where a condition has to stand, such as certname = "a".`;
}

function missingField(mistake: Mistake): string | undefined {
  if (!mistake.expected.includes(FIELD.label)) return undefined;
  return `${whatWasFound(mistake)} where a field has to stand.`;
}

function missingConnective(mistake: Mistake): string | undefined {
  const { text, index, found, expected } = mistake;
  const inBlock = expected.includes("}") || expected.includes(")");
  if (!inBlock || !/^[^)\]}]/.test(found)) return undefined;
  if (/["']/.test(text.charAt(index - 1)) && /^\w/.test(found)) {
    return `${whatWasFound(mistake)} directly behind a text: a quote inside a text is written \\" or \\'.`;
  }
  if (expected.includes("and")) return `${whatWasFound(mistake)}: conditions are joined with and, or.`;
  if (found === ",") return `${whatWasFound(mistake)}: conditions are joined with and, or.`;
  if (!expected.includes("limit")) return undefined;
  return `${whatWasFound(mistake)}: conditions come before limit, offset and order by, all in one pair of braces.`;
}

function missingComma(mistake: Mistake): string | undefined {
  const { found, expected } = mistake;
  if (!expected.includes(",") || !/^[^)\]}]/.test(found)) return undefined;
  return `${whatWasFound(mistake)} where a comma has to stand: names and values in a list are separated with commas.`;
}

function unclosedBracket(mistake: Mistake): string | undefined {
  if (!/^[)\]}]?$/.test(mistake.found)) return undefined;
  const closer = [")", "]", "}"].find((bracket) => mistake.expected.includes(bracket));
  if (closer === undefined) return undefined;
  return `${whatWasFound(mistake)} where ${closer} is still missing: write ${closer}.`;
}
