import { SPACE } from "./grammar.ts";
import type { ParseFailure, Rule } from "./parse-failure.ts";
import { quote, foundText } from "./parse-failure.ts";
import { wordAround, wordBefore } from "./token.ts";

/** Words and signs of other languages, and words of PQL that are spelled differently. */
export const WORD_RULES: readonly Rule[] = [
  typographicQuote,
  missingSpace,
  nullAsValue,
  upperCaseWord,
  foreignWord,
  wordParsedAsField,
  foreignOperator,
  foreignSign,
];

const KEYWORDS = new Set("and or in is null true false limit offset order group by asc desc".split(" "));

const REGULAR_EXPRESSION = "text is matched with a regular expression: write ~";
const FILTER_IN_BRACES = "the filter is between the braces, without a word before it";

/** Words in place of an operator. */
const FOREIGN_WORDS: Readonly<Record<string, string>> = {
  like: REGULAR_EXPRESSION,
  matches: REGULAR_EXPRESSION,
  contains: REGULAR_EXPRESSION,
  equals: "write =",
  is: "write `is null` or `is not null` with one space between the words, and = for any other value",
  by: "write `order by` or `group by` with exactly one space between the words",
  not: "write ! in front of the whole condition",
  between: "write two conditions, with >= and <=",
};

/** Words that are parsed as a field, so that the error is found one word later. */
const PARSED_AS_FIELDS: Readonly<Record<string, string>> = {
  not: "write ! for not",
  where: FILTER_IN_BRACES,
  orderby: "write `order by`",
  order_by: "write `order by`",
  groupby: "write `group by`",
  group_by: "write `group by`",
};

/** Operators that begin with an operator of PQL; the error is at their second character. */
const OPERATORS: Readonly<Record<string, string>> = {
  "==": "write a single =",
  "<>": "write !=",
  "=~": "write ~",
  "=>": "write >=",
  "=<": "write <=",
};

const SIGNS: Readonly<Record<string, string>> = {
  "&": "write and",
  "&&": "write and",
  "|": "write or",
  "||": "write or",
  ";": "a query has no semicolon",
  "#": "a query has no comments",
  "`": "fields have no quotes, and texts have \" or '",
  "*": "write [] for all fields, and count() for the number of rows",
};

function typographicQuote({ found }: ParseFailure): string | undefined {
  return /[\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb]/.test(found)
    ? `Found ${found}: texts have straight quotes, " or '.`
    : undefined;
}

function missingSpace({ text, index, found, expected }: ParseFailure): string | undefined {
  const before = text.charAt(index - 1);
  if (/^(?:and|or)\b/.test(found) && expected.includes("}") && !/\s/.test(before)) {
    return `Write white space before ${quote(found)}.`;
  }
  if (expected.length !== 1 || expected[0] !== SPACE.label) return undefined;
  const word = wordAround(text, index);
  if (word === "order" || word === "group") return `Write \`${word} by\` with exactly one space between the words.`;
  return `Write white space after ${quote(wordBefore(text, index))}, and then what comes next.`;
}

function nullAsValue(failure: ParseFailure): string | undefined {
  if (failure.found.toLowerCase() !== "null" || !failure.expected.includes('"')) return undefined;
  return `${foundText(failure)}: write \`is null\` or \`is not null\` in place of the operator and the value.`;
}

function upperCaseWord(failure: ParseFailure): string | undefined {
  const lower = failure.found.toLowerCase();
  if (failure.found === lower || !KEYWORDS.has(lower)) return undefined;
  return `${foundText(failure)}: operators and keywords are lower case: write ${lower}.`;
}

function foreignWord(failure: ParseFailure): string | undefined {
  const advice = lookUp(FOREIGN_WORDS, failure.found.toLowerCase());
  if (advice === undefined || !failure.expected.includes("is null")) return undefined;
  return `${foundText(failure)}: ${advice}.`;
}

function wordParsedAsField({ text, index, expected }: ParseFailure): string | undefined {
  const word = wordBefore(text, index);
  const advice = lookUp(PARSED_AS_FIELDS, word.toLowerCase());
  if (advice === undefined || !expected.includes("is null")) return undefined;
  return `Found ${quote(word)}, which is taken for a field here: ${advice}.`;
}

function foreignOperator({ text, index }: ParseFailure): string | undefined {
  const written = text.slice(Math.max(0, index - 1), index + 1);
  const advice = lookUp(OPERATORS, written);
  return advice === undefined ? undefined : `Found ${quote(written)}: ${advice}.`;
}

function foreignSign(failure: ParseFailure): string | undefined {
  // White space before a comment is part of the error when it comes after the query.
  const found = failure.text.slice(failure.index).trimStart().startsWith("#") ? "#" : failure.found;
  const advice = lookUp(SIGNS, found);
  return advice === undefined ? undefined : `Found ${quote(found)}: ${advice}.`;
}

function lookUp(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
