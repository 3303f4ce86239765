/** The usual spelling. */
const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const UUID = /^(?:(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}|\{(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}\})$/i;

/**
 * A UUID as PuppetDB's database reads and returns it: upper case, braces and missing hyphens are accepted, the result
 * is lower case with hyphens (reference/commands.md §2.5).
 * @returns undefined when `text` is not a UUID
 */
export function normalizeUuid(text: string): string | undefined {
  if (CANONICAL.test(text)) return text;
  if (!UUID.test(text)) return undefined;
  const digits = text.toLowerCase().replace(/[{}-]/g, "");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
