/** Where people arrive unless they came from another page. */
const HOME = "/explorer/";

/** Longer addresses are not kept. */
const LONGEST = 4000;

/**
 * The address to return to after a sign-in: a page of the explorer, and nothing else that a link may have said.
 * @param text of a parameter
 */
export function returnPath(text: string | null | undefined): string {
  if (text === null || text === undefined || text.length > LONGEST) return HOME;
  if (/[\\\p{Cc}]/u.test(text) || !text.startsWith(HOME)) return HOME;
  // Resolves dots in every spelling.
  const base = "https://census.invalid";
  const url = URL.parse(text, base);
  return url?.origin === base && url.pathname.startsWith(HOME) ? url.pathname + url.search + url.hash : HOME;
}
