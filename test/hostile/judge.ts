import type { Attack, Outcome } from "./attack.ts";

/** Texts that no response may contain: internal names, or a value that was not filled in. */
const inside = [
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|AssertionError)\b/,
  /Maximum call stack|Cannot read propert|is not a function|is not iterable|Invalid string length/,
  /\b(?:Binder|Parser|Catalog|Conversion|Invalid Input|Out of Range|Internal|INTERNAL|Fatal|FATAL|Not implemented) Error:/,
  /Out of Memory Error/,
  /\bat (?:async )?[\w.<>]+ \((?:file|node):/,
  /\bduckdb\b/i,
  /org\.postgresql|clojure\.|java\.lang\.[A-Z]\w+(?:Exception|Error)|com\.fasterxml/,
] as const;

/** The answer to a query that took too long is PuppetDB's (`reference/query.md §9`). */
const tookTooLong = /^Query (?:from ".*" )?exceeded timeout of [\d.e+-]+ s\b/s;

/** Answers that may name what they are about, in those words: descriptions, metrics, what Jolokia says of its client. */
const namesInside = /^(?:\/openapi\.json|\/metrics|\/pdb\/dashboard)/;

/**
 * What is wrong with the answer to an attack.
 * @returns the problem in a few words; undefined when there is none
 */
export function problemOf(attack: Attack, { status, type, text, isWhole, failure }: Outcome): string | undefined {
  if (failure === "timeout") return "hang";
  if (status === 500 && tookTooLong.test(text)) return undefined;
  if (status >= 500 && status !== 503 && status !== 501 && status !== 505) return `status ${status}`;
  if (attack.transport !== "http" || failure !== undefined) return undefined;
  if (status === 503 && text.startsWith("the database engine failed")) return "status 503 for a defect of a statement";
  if (status === 503 && text.trim() === "" && isWhole && attack.method !== "HEAD") return "status 503 without a reason";
  // The framework's own answer to an unknown method.
  if (status === 501 || status === 505) return `status ${status}`;
  if (isWhole && /\bjson\b/i.test(type) && attack.method !== "HEAD" && !isJson(text))
    return `status ${status}, not JSON`;
  const isDescribing = namesInside.test(attack.path) || attack.kind === "jolokia";
  const found =
    isDescribing || status === 200 ? undefined : inside.map((pattern) => pattern.exec(text)?.[0]).find(Boolean);
  return found === undefined ? undefined : `status ${status}, answer mentions "${found}"`;
}

function isJson(text: string): boolean {
  if (text === "") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A message without what differs from request to request, so that equal defects look equal. */
export function normalised(message: string): string {
  return message
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/'(?:[^'\\]|\\.)*'/g, "'…'")
    .replaceAll(/\b[0-9a-f]{8,}\b/g, "…")
    .replaceAll(/\d+/g, "n")
    .slice(0, 160);
}

/** The messages of what is printed as JSON lines at level error. */
export function messagesOf(printed: string): string[] {
  return printed.split("\n").flatMap((line) => {
    const [, message] = /"level":"error","message":("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    return message === undefined ? [] : [JSON.parse(message) as string];
  });
}
