import { ALL_ENTITIES } from "../pql/grammar.ts";

/** The brackets and quotes that are open at a place in a query. */
export interface Context {
  /** The entity of the innermost open brackets or braces; undefined outside of any. */
  readonly entity: string | undefined;
  /** The list of fields, the conditions, or neither. */
  readonly part: "projection" | "conditions" | undefined;
  /** Where the unclosed text begins, after its quote; undefined when none is open. */
  readonly text: { readonly start: number; readonly quote: string } | undefined;
  /** Where the innermost conditions begin, after their brace. */
  readonly from: number;
}

interface Open {
  readonly bracket: string;
  readonly entity: string | undefined;
  readonly start: number;
}

/** Considers only brackets and quotes, so that any beginning of a query has a result. */
export function contextAt(text: string, cursor: number): Context {
  const open: Open[] = [];
  let quote: { start: number; quote: string } | undefined;
  /** The entity of the projection that was closed last, which the next braces belong to. */
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
  return word !== undefined && ALL_ENTITIES.includes(word) ? word : undefined;
}
