/** How it is nearly always written. */
const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const UUID = /^(?:(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}|\{(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}\})$/i;

/**
 * A UUID the way PuppetDB's database takes and gives it back: upper case, braces and missing hyphens are accepted, the
 * answer is lower case with hyphens (reference/commands.md §2.5).
 * @returns undefined when `text` is no UUID
 */
export function normalizeUuid(text: string): string | undefined {
  if (CANONICAL.test(text)) return text;
  if (!UUID.test(text)) return undefined;
  const digits = text.toLowerCase().replace(/[{}-]/g, "");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
