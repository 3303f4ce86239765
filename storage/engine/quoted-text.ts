/** A text as SQL spells it. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
