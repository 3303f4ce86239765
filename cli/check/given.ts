import { UsageError } from "../errors.ts";

/**
 * Values of parameters, `NAME=VALUE` each.
 * @param what they are, for messages
 * @throws UsageError for one without a name
 */
export function readGiven(words: readonly string[], what: string): Map<string, string> {
  return new Map(
    words.map((word) => {
      const { name, value } = /^(?<name>[A-Za-z_]\w*)=(?<value>.*)$/s.exec(word)?.groups ?? {};
      if (name === undefined || value === undefined) {
        throw new UsageError(`${what} needs NAME=VALUE, not ${JSON.stringify(word)}`);
      }
      return [name, value];
    }),
  );
}
