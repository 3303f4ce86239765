import { PqlSyntaxError } from "#storage/query/pql/errors.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import { isAst } from "../sources/question.ts";

/** Whether a question that is being typed goes on. */
export interface Progress {
  readonly isWhole: boolean;
  /** A text is open: a line end is part of it. */
  readonly inText: boolean;
}

/**
 * A question goes on while a bracket or a quote is open, or when it ends with the list of what to show, behind which the
 * braces come. With a mistake before its end it is whole: more of it would not help.
 */
export function progressOf(question: string): Progress {
  const { open, quote } = whatIsOpen(question);
  const text = question.trimEnd();
  const goesOn = quote !== undefined || open > 0 || (text.endsWith("]") && !isAst(text));
  return { isWhole: !goesOn || (!isAst(text) && hasMistake(text)), inText: quote !== undefined };
}

function whatIsOpen(question: string): { readonly open: number; readonly quote: string | undefined } {
  let open = 0;
  let quote: string | undefined;
  for (let at = 0; at < question.length; at++) {
    const sign = question.charAt(at);
    if (quote !== undefined) {
      if (sign === "\\") at++;
      else if (sign === quote) quote = undefined;
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (/[[{(]/.test(sign)) open++;
    else if (/[\]})]/.test(sign)) open--;
  }
  return { open, quote };
}

/** Whether PQL cannot be right any more, whatever comes behind it. */
function hasMistake(text: string): boolean {
  try {
    parsePql(text);
    return false;
  } catch (error) {
    return !(error instanceof PqlSyntaxError && error.found === "");
  }
}

/** A question as it is asked: other shells end one with a semicolon, out of habit. */
export function withoutSemicolon(question: string): string {
  return question.trim().replace(/\s*;$/, "");
}
