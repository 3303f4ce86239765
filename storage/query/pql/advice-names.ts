import { ALL_ENTITIES, AST_ONLY_ENTITIES, ENTITIES, FUNCTIONS, NOT_DIRECTION_LABEL } from "./grammar.ts";
import type { ParseFailure, Rule } from "./parse-failure.ts";
import { quote, foundText } from "./parse-failure.ts";
import { nearestWords } from "../../nearest-words.ts";
import { wordAround, wordBefore } from "./token.ts";

/** Errors in the names of entities, fields and functions. */
export const NAME_RULES: readonly Rule[] = [
  emptyQuery,
  fieldLikeDirection,
  unknownEntity,
  unknownFunction,
  signInsideField,
  unfinishedQuotedPart,
];

function emptyQuery({ text }: ParseFailure): string | undefined {
  return text.trim() === "" ? "The query is empty: write an entity and braces, such as nodes{}." : undefined;
}

function fieldLikeDirection(failure: ParseFailure): string | undefined {
  if (!failure.expected.includes(NOT_DIRECTION_LABEL)) return undefined;
  return failure.found === "asc" || failure.found === "desc"
    ? `${foundText(failure)}: write the field before the direction.`
    : `${foundText(failure)}: PQL cannot order by a field whose name begins with asc or desc; the order_by parameter can.`;
}

function unknownEntity(failure: ParseFailure): string | undefined {
  const { text, index, expected } = failure;
  const atEntity = expected.includes("nodes") && !expected.includes("!") && !expected.includes("[");
  const insideWord = expected.includes("{") && /^[\w-]{2}/.test(text.slice(Math.max(0, index - 1)));
  if (!atEntity && !insideWord) return undefined;
  const word = wordAround(text, index);
  if (!/^[A-Za-z]/.test(word)) return `${foundText(failure)}: a query begins with an entity, such as nodes{}.`;
  const plain = word.toLowerCase().replaceAll("-", "_");
  if ((AST_ONLY_ENTITIES as readonly string[]).includes(plain)) {
    return `PQL has no entity ${quote(word)}: write the query as JSON, ["from", "${plain}"].`;
  }
  const nearest = nearestWords(plain, ALL_ENTITIES);
  if (nearest.length > 0) return `There is no entity ${quote(word)}: did you mean ${nearest.join(" or ")}?`;
  return `There is no entity ${quote(word)}: a query begins with one of ${ENTITIES.join(", ")}.`;
}

function unknownFunction({ text, index, found, expected }: ParseFailure): string | undefined {
  const name = wordBefore(text, index);
  if (found !== "(" || name === "") return undefined;
  if (expected.includes("is null") && (FUNCTIONS as readonly string[]).includes(name)) {
    return `A function cannot be compared: ${name} is only possible in the brackets after an entity, or after group by.`;
  }
  if (!expected.includes(",")) return undefined;
  return `There is no function ${quote(name)}: the functions are ${FUNCTIONS.join(", ")}.`;
}

/** A bare part that includes a closing bracket, directly before the error. */
const BARE_WITH_BRACKET = /\b(?:facts|trusted|parameters)\.[^\s",[\]!<=>~()}]*([)}])[^\s",[\]!<=>~]*[\s,]*$/;
/** A quoted part that extends to the next quote before white space. */
const QUOTED_TOO_FAR = /\b(?:facts|trusted|parameters)\.(?:[^\s"]*\.)?"[^"\n]*"([^.\s"])[^\n]*"\s+$/;

/** A dotted field includes what directly follows it (reference/pql.md §2), so the error is found later. */
function signInsideField({ text, index }: ParseFailure): string | undefined {
  const before = text.slice(Math.max(0, index - 300), index);
  const bare = BARE_WITH_BRACKET.exec(before)?.[1];
  if (bare !== undefined) return `The ${bare} belongs to the field before it: write white space between the two.`;
  const quoted = QUOTED_TOO_FAR.exec(before)?.[1];
  if (quoted === undefined) return undefined;
  return `A quoted part of a field ends at a quote with white space or a dot after it: write a space before ${quoted}.`;
}

function unfinishedQuotedPart({ found, expected }: ParseFailure): string | undefined {
  if (found !== '"' || !expected.some((label) => label.startsWith('#"match'))) return undefined;
  return "A quoted part of a field needs white space or a dot after its closing quote: write a space there.";
}
