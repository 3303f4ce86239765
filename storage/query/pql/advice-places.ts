import { BARE_PART, DIGITS, END_LABELS, FIELD, SPACE } from "./grammar.ts";
import type { ParseFailure, Rule } from "./parse-failure.ts";
import { quote, foundText } from "./parse-failure.ts";
import { spellings } from "../spellings.ts";
import { tokenAt } from "./token.ts";

/** What is missing or superfluous, by what was possible at that place. */
export const PLACE_RULES: readonly Rule[] = [
  unclosedText,
  trailingText,
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

function unclosedText({ found, expected }: ParseFailure): string | undefined {
  const [only] = expected;
  if (expected.length !== 1 || (only !== '"' && only !== "'")) return undefined;
  if (found === "") return `The query ends inside a text: close it with ${only}.`;
  return "A backslash at the end of a line escapes nothing: leave it out or double it.";
}

function trailingText({ text, index, expected }: ParseFailure): string | undefined {
  if (!expected.includes(END_LABELS[0])) return undefined;
  const rest = tokenAt(text, index + (text.slice(index).length - text.slice(index).trimStart().length));
  return `The query ends with its closing brace: leave out ${quote(rest)} and what follows.`;
}

function dottedField({ text, index, found, expected }: ParseFailure): string | undefined {
  if (found !== "." || expected.includes(".") || expected.includes('"')) return undefined;
  if (/[^\w.][0-9]+$/.test(text.slice(Math.max(0, index - 25), index))) return "limit and offset take whole numbers.";
  return "Only facts, trusted and parameters have fields with dots.";
}

function unfinishedPart(failure: ParseFailure): string | undefined {
  if (!failure.expected.includes(BARE_PART.label)) return undefined;
  return `${foundText(failure)} where the next part of the field is expected.`;
}

function emptyList({ found, expected }: ParseFailure): string | undefined {
  if (found !== "]" || !expected.includes('"')) return undefined;
  return "A list of values cannot be empty, nor end with a comma: write at least one value.";
}

function missingList(failure: ParseFailure): string | undefined {
  const { expected } = failure;
  const afterIn = expected.includes("[") && expected.includes("nodes") && !expected.includes("(");
  const afterArrow = expected.includes("[") && expected.every((label) => label === "[" || label === SPACE.label);
  if (!afterIn && !afterArrow) return undefined;
  const query = afterIn ? ", or a query such as nodes[certname]{…}" : "";
  return `${foundText(failure)} where a list is expected: write the values in square brackets, ["a", "b"]${query}.`;
}

function badNumber(failure: ParseFailure): string | undefined {
  const { text, index, found, expected } = failure;
  const afterDigit = /[0-9]/.test(text.charAt(index - 1)) && /^[\w+]/.test(found);
  const atDigits = expected.includes(DIGITS.label) && (!expected.includes('"') || /^[+.]/.test(found));
  if (!atDigits && !(afterDigit && expected.includes("."))) return undefined;
  const afterPaging = /(?:limit|offset)\s+$/.test(text.slice(Math.max(0, index - 20), index));
  if (afterPaging) return `${foundText(failure)} where a whole number is expected, such as 5.`;
  return `${foundText(failure)} in a number: numbers are written like 5, -5, 0.5 or 5.0e3.`;
}

function unquotedText(failure: ParseFailure): string | undefined {
  const { found, expected } = failure;
  if (!expected.includes('"') || !/^[\p{L}_]/u.test(found) || /^(?:true|false)$/.test(found)) return undefined;
  return `${foundText(failure)}: a text has to be in quotes: write "${found}".`;
}

const VALUES: readonly (readonly [label: string, words: string])[] = [
  ['"', "a text in quotes"],
  [DIGITS.label, "a number"],
  ["true", "true or false"],
];

function missingValue(failure: ParseFailure): string | undefined {
  // A text is possible in place of a field only as the argument of a function.
  if (!failure.expected.includes('"') || failure.expected.includes(FIELD.label)) return undefined;
  const values = VALUES.filter(([label]) => failure.expected.includes(label)).map(([, words]) => words);
  return `${foundText(failure)} where a value is expected: write ${values.join(", ")}.`;
}

function missingBraces(failure: ParseFailure): string | undefined {
  const { text, index, found, expected } = failure;
  if (!expected.includes("{")) return undefined;
  const entity = /([a-z_]+)\s*(?:\[[^\]]*\]\s*)?$/.exec(text.slice(Math.max(0, index - 200), index))?.[1] ?? "nodes";
  if (found === "[") return `Found ${quote(found)}: a subquery has no list of fields: write ${entity}{…}.`;
  return `${foundText(failure)}: an entity is followed by braces, with the filter in them: write ${entity}{…}.`;
}

const operatorSymbols = spellings
  .flatMap((operator) => {
    if (operator.form === "comparison" || operator.form === "null test")
      return operator.pql.map(({ symbol }) => symbol);
    return operator.form === "membership" ? [operator.pql] : [];
  })
  .join(", ");

function missingOperator(failure: ParseFailure): string | undefined {
  if (!failure.expected.includes("is null")) return undefined;
  return `${foundText(failure)} where an operator is expected: write one of ${operatorSymbols}.`;
}

function missingCondition(failure: ParseFailure): string | undefined {
  const { found, expected } = failure;
  if (!expected.includes("!")) return undefined;
  if (found === '"' || found === "'") return `${foundText(failure)}: a field is written without quotes.`;
  if (found === "" && expected.includes("}")) return "The query ends inside a block: close it with }.";
  return `${foundText(failure)} where a condition is expected, such as certname = "a".`;
}

function missingField(failure: ParseFailure): string | undefined {
  if (!failure.expected.includes(FIELD.label)) return undefined;
  return `${foundText(failure)} where a field is expected.`;
}

function missingConnective(failure: ParseFailure): string | undefined {
  const { text, index, found, expected } = failure;
  const inBlock = expected.includes("}") || expected.includes(")");
  if (!inBlock || !/^[^)\]}]/.test(found)) return undefined;
  if (/["']/.test(text.charAt(index - 1)) && /^\w/.test(found)) {
    return `${foundText(failure)} directly after a text: a quote inside a text is written \\" or \\'.`;
  }
  if (expected.includes("and")) return `${foundText(failure)}: conditions are joined with and, or.`;
  if (found === ",") return `${foundText(failure)}: conditions are joined with and, or.`;
  if (!expected.includes("limit")) return undefined;
  return `${foundText(failure)}: conditions come before limit, offset and order by, all in one pair of braces.`;
}

function missingComma(failure: ParseFailure): string | undefined {
  const { found, expected } = failure;
  if (!expected.includes(",") || !/^[^)\]}]/.test(found)) return undefined;
  return `${foundText(failure)} where a comma is expected: names and values in a list are separated with commas.`;
}

function unclosedBracket(failure: ParseFailure): string | undefined {
  if (!/^[)\]}]?$/.test(failure.found)) return undefined;
  const closer = [")", "]", "}"].find((bracket) => failure.expected.includes(bracket));
  if (closer === undefined) return undefined;
  return `${foundText(failure)} where ${closer} is still missing: write ${closer}.`;
}
