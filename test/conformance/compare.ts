import { isObject, parseJson, stringifyJson, type Json } from "#storage/json.ts";
import { excerpt, firstDifference, multisetDifference } from "./difference.ts";
import { normalForm, sortedByText } from "./normal-form.ts";
import { normalText } from "./normal-text.ts";
import type { Answer, CompareRules } from "./recording.ts";

/**
 * How an answer differs from the expected one, a line per difference; empty when it is right.
 * The rules are those of reference/query.md §12.
 */
export function compareAnswers(rules: CompareRules, expected: Answer, actual: Answer): string[] {
  if (rules.mode === "refusal") return refusalDifferences(actual);
  const status = statusDifferences(expected, actual);
  if (rules.mode === "status") return status;
  const head = [...status, ...headerDifferences(rules, expected, actual)];
  if (rules.mode === "type" || status.length > 0) return head;
  return [...head, ...bodyDifferences(rules, expected.text, actual.text)];
}

/** Whether an answer refuses a request and says why. */
export function isRefusal(answer: Answer): boolean {
  return answer.status >= 400 && /\w/.test(answer.text);
}

function refusalDifferences(actual: Answer): string[] {
  return isRefusal(actual) ? [] : [`status: expected a refusal that says why, got ${shownAnswer(actual)}`];
}

function statusDifferences(expected: Answer, actual: Answer): string[] {
  if (expected.status === actual.status) return [];
  return [`status: expected ${shownAnswer(expected)}, got ${shownAnswer(actual)}`];
}

function shownAnswer({ status, text }: Answer): string {
  return text === "" ? String(status) : `${status} ${excerpt(text)}`;
}

const NONE = "(none)";

function headerDifferences(rules: CompareRules, expected: Answer, actual: Answer): string[] {
  return (
    ["content-type", "x-records", ...rules.headers]
      .map((name) => ({ name, want: header(expected, name), got: header(actual, name) }))
      // We send a content type with every answer (docs/differences.md): one more than recorded is no difference.
      .filter(({ name, want, got }) => want !== got && !(name === "content-type" && want === NONE))
      .map(({ name, want, got }) => `${name}: expected ${want}, got ${got}`)
  );
}

/** A header's value; blanks and letter case of a content type mean nothing. */
function header(answer: Answer, name: string): string {
  const value = answer.headers[name] ?? NONE;
  return name === "content-type" ? value.toLowerCase().replaceAll(/\s+/g, "") : value;
}

function bodyDifferences(rules: CompareRules, expected: string, actual: string): string[] {
  if (rules.mode === "text") return textDifferences(rules, expected, actual);
  const [want, got] = [parsed(expected), parsed(actual)];
  if (want === undefined && got === undefined) return textDifferences(rules, expected, actual);
  if (want === undefined || got === undefined) {
    return [`body: expected ${want === undefined ? "text" : "JSON"}, got ${excerpt(actual)}`];
  }
  const difference = jsonDifference(rules, want, got);
  return difference === undefined ? [] : [difference];
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function textDifferences(rules: CompareRules, expected: string, actual: string): string[] {
  const [want, got] = [normalText(expected, rules), normalText(actual, rules)];
  return want === got ? [] : [`text: expected ${excerpt(want, 300)}, got ${excerpt(got, 300)}`];
}

function jsonDifference(rules: CompareRules, expected: Json, actual: Json): string | undefined {
  if (rules.mode === "count" || rules.mode === "keys") {
    const [want, got] = [rowsOf(expected), rowsOf(actual)];
    if (want.length !== got.length) return `rows: expected ${want.length}, got ${got.length}`;
    return rules.mode === "keys" ? multisetDifference(want.map(keysOf), got.map(keysOf)) : undefined;
  }
  const [want, got] = [normalForm(expected, rules), normalForm(actual, rules)];
  if (!Array.isArray(want) || !Array.isArray(got)) return firstDifference(want, got);
  if (rules.mode === "set") return multisetDifference(want, got);
  return firstDifference(inOrder(want, rules.orderedBy), inOrder(got, rules.orderedBy));
}

function rowsOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}

/** The keys of a row, or the type of a row that has none. */
function keysOf(row: Json): Json {
  return isObject(row) ? Object.keys(row).sort() : typeof row;
}

/** Rows in their order, except that neighbours equal in every `orderedBy` column are put in the order of their texts. */
function inOrder(rows: Json[], orderedBy: readonly string[] | undefined): Json[] {
  if (orderedBy === undefined) return rows;
  const ties: { place: string; rows: Json[] }[] = [];
  for (const row of rows) {
    const place = isObject(row) ? stringifyJson(orderedBy.map((column) => row[column] ?? null)) : stringifyJson(row);
    const last = ties.at(-1);
    if (last?.place === place) last.rows.push(row);
    else ties.push({ place, rows: [row] });
  }
  return ties.flatMap((tie) => sortedByText(tie.rows));
}
