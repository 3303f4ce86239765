/** Line ends and other control characters as escapes: a value must not move the cursor. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const escape = JSON.stringify(character).slice(1, -1);
    // Those from U+007F on are as good as escape sequences to some terminals, and JSON lets them through.
    return escape.length > 1 ? escape : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
