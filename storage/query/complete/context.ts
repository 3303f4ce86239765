import { ENTITIES } from "../pql/grammar.ts";

/** Where in a query a place is: what is open there. */
export interface Context {
  /** The entity whose brackets or braces are the innermost open ones; undefined outside of any. */
  readonly entity: string | undefined;
  /** What is open there: the list of what to show, the conditions, or nothing. */
  readonly part: "projection" | "conditions" | undefined;
  /** Where the text that is not closed begins, behind its quote; undefined when none is open. */
  readonly text: { readonly start: number; readonly quote: string } | undefined;
  /** Where the innermost conditions begin, behind their brace. */
  readonly from: number;
}

interface Open {
  readonly bracket: string;
  readonly entity: string | undefined;
  readonly start: number;
}

/** Looks at brackets and quotes alone, so that it has an answer for any beginning of a query. */
export function contextAt(text: string, cursor: number): Context {
  const open: Open[] = [];
  let quote: { start: number; quote: string } | undefined;
  /** The entity of the projection that was closed last: the one whose braces come next. */
  let projected: string | undefined;
  for (let at = 0; at < cursor; at++) {
    const sign = text.charAt(at);
    if (quote !== undefined) {
      if (sign === "\\") at++;
      else if (sign === quote.quote) quote = undefined;
    } else if (sign === '"' || sign === "'") {
      quote = { start: at + 1, quote: sign };
    } else if (sign === "[" || sign === "{") {
      const entity = entityBefore(text, at) ?? (sign === "{" ? projected : undefined);
      open.push({ bracket: sign, entity, start: at + 1 });
      projected = undefined;
    } else if (sign === "]" || sign === "}") {
      const closed = open.pop();
      projected = sign === "]" ? closed?.entity : undefined;
    }
  }
  return { ...innermost(open), text: quote };
}

function innermost(open: readonly Open[]): Omit<Context, "text"> {
  const last = open.at(-1);
  if (last?.bracket === "[" && last.entity !== undefined) {
    return { entity: last.entity, part: "projection", from: last.start };
  }
  // A list of values belongs to the conditions around it.
  const around = open.findLast(({ bracket }) => bracket === "{");
  if (around === undefined) return { entity: undefined, part: undefined, from: 0 };
  return { entity: around.entity, part: "conditions", from: around.start };
}

function entityBefore(text: string, at: number): string | undefined {
  const word = /(?<![\w.])([a-z_]+)\s*$/.exec(text.slice(Math.max(0, at - 100), at))?.[1];
  return (ENTITIES as readonly (string | undefined)[]).includes(word) ? word : undefined;
}
