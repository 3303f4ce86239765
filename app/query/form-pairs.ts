/** A name and its value, as a URL's query string or a form-encoded body spells them. */
export type Pair = readonly [name: string, value: string];

/**
 * The pairs of a query string (with or without its `?`) or of a form-encoded body. A pair without `=` and a pair with a
 * broken percent escape count as absent, which is why `URLSearchParams` alone will not do (`reference/http.md §3.1`).
 *
 * @example formPairs("?query=nodes%7B%7D&limit&offset=%ZZ") // [["query", "nodes{}"]]
 */
export function formPairs(text: string): Pair[] {
  const pairs = text
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair.includes("=") && !BROKEN_ESCAPE.test(pair));
  return pairs.length === 0 ? [] : [...new URLSearchParams(pairs.join("&"))];
}

const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;
