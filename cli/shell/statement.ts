import { PqlSyntaxError } from "#storage/query/pql/errors.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import { isAst } from "../sources/query-text.ts";

/** Whether a query is complete. */
export interface Progress {
  readonly isWhole: boolean;
  /** A string is open, so a line break is part of it. */
  readonly inText: boolean;
}

/**
 * A query continues while a bracket or quote is open, or when it ends with its list of fields, since braces follow. With
 * a syntax error it is complete: more text cannot fix it.
 */
export function progressOf(query: string): Progress {
  const { open, quote } = whatIsOpen(query);
  const text = query.trimEnd();
  const goesOn = quote !== undefined || open > 0 || (text.endsWith("]") && !isAst(text));
  return { isWhole: !goesOn || (!isAst(text) && hasMistake(text)), inText: quote !== undefined };
}

function whatIsOpen(query: string): { readonly open: number; readonly quote: string | undefined } {
  let open = 0;
  let quote: string | undefined;
  for (let at = 0; at < query.length; at++) {
    const sign = query.charAt(at);
    if (quote !== undefined) {
      if (sign === "\\") at++;
      else if (sign === quote) quote = undefined;
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (/[[{(]/.test(sign)) open++;
    else if (/[\]})]/.test(sign)) open--;
  }
  return { open, quote };
}

/** Whether the text has a syntax error that no further text can fix. */
function hasMistake(text: string): boolean {
  try {
    parsePql(text);
    return false;
  } catch (error) {
    return !(error instanceof PqlSyntaxError && error.found === "");
  }
}

/** A query without a final semicolon, which users of other shells type. */
export function withoutSemicolon(query: string): string {
  return query.trim().replace(/\s*;$/, "");
}
