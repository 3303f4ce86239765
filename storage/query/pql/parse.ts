import type { Json } from "#storage/json.ts";
import { PqlSyntaxError } from "./errors.ts";
import { parseQuery } from "./query.ts";
import { Scanner } from "./scanner.ts";

export { PqlSyntaxError } from "./errors.ts";

/**
 * PQL text to the JSON AST, as PuppetDB's `ast_only=true` returns it (reference/pql.md §1 to §3). Nothing is checked
 * against the entities: the reader of the AST reports unknown fields and unsupported operators.
 *
 * Integers and reals keep their kind: `5.0` is an exact number, never the integer 5.
 *
 * @example parsePql('nodes{certname = "a"}') // ["from", "nodes", ["=", "certname", "a"]]
 * @throws PqlSyntaxError when the text is not PQL
 * @throws CensusError (bad-input) for an integer beyond 64 bits, a real beyond a double, an unknown escape in a
 *   double-quoted text, and nesting that is too deep
 */
export function parsePql(text: string): Json {
  const scanner = new Scanner(text);
  const query = parseQuery(scanner);
  if (query === undefined) throw new PqlSyntaxError(text, scanner.furthest, scanner.expected);
  scanner.throwRejectedValue();
  return query;
}
