/**
 * All values of a repeatable option; citty keeps only the last one.
 * @param words the arguments after the command's name
 */
export function repeated(words: readonly string[], option: string): string[] {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  return before.flatMap((word, index) => {
    if (word.startsWith(`--${option}=`)) return [word.slice(option.length + 3)];
    const next = before[index + 1];
    return word === `--${option}` && next !== undefined ? [next] : [];
  });
}
