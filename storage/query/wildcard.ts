/** A regular expression, as PostgreSQL reads it, for a text in which `*` is any characters. */
export function wildcardExpression(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`).replaceAll("*", ".*");
}
