import { CensusError } from "../errors.ts";

/** A question that cannot be asked: HTTP 400 with the message as plain text, exit code 2. */
export class QueryError extends CensusError {
  constructor(message: string) {
    super("bad-input", message);
    this.name = "QueryError";
  }
}

/** `a`, `a and b`, `a, b, and c`, each in single quotes, as the peer lists fields. */
export function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 2) return quoted.join("");
  if (quoted.length === 2) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}
