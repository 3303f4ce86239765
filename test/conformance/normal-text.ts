import type { CompareRules } from "./recording.ts";

const LOCAL_HOST = /127\.0\.0\.1:\d+|localhost:\d+/g;
const PRODUCT = /\b(PuppetDB|OpenVoxDB|Census)\b/g;

/** The alternatives a parser lists are an artefact of it (reference/pql.md §4); the line and the caret before them count. */
const PQL_ALTERNATIVES = /(?<=^PQL parse error.*)\n\nExpected(?: one of)?:.*$/s;

/** `… are 'a', 'b', and 'c'`, the lists of fields whose order is arbitrary (reference/query.md §12). */
const NAME_LIST = /(Acceptable fields|Supported columns) are ((?:'[^']*'(?:, and |, | and )?)+)/g;

/** A text answer without what differs between two right ones: hosts, the product's name, lists of no order. */
export function normalText(text: string, rules: CompareRules): string {
  let normal = text;
  for (const [pattern, replacement] of rules.textMask) {
    normal = normal.replace(new RegExp(pattern, "gs"), replacement);
  }
  if (rules.unorderedNames) normal = normal.replace(NAME_LIST, sortNames);
  return normal.replace(LOCAL_HOST, "<host>").replace(PRODUCT, "<product>").replace(PQL_ALTERNATIVES, "");
}

function sortNames(_match: string, subject: string, list: string): string {
  const names = list.match(/'[^']*'/g) ?? [];
  return `${subject} are ${names.sort().join(" ")}`;
}
