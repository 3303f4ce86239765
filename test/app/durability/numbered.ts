import { a, type TextSubmission } from "#test/fixture-store.ts";

/** What the clock of the services of these tests shows, and the day before, on which everything happened. */
export const NOW = "2026-11-21T00:00:00Z";
const DAY = "2026-11-20";

/** What a command is recognised by afterwards. */
export interface Numbered {
  readonly number: number;
  readonly kind: "facts" | "report" | "counter" | "broken";
  /** The connection that sends it; it sends one after another. */
  readonly sender: number;
  readonly command: TextSubmission;
}

/** The n-th command: reports, facts of a node of their own, facts of a node that counts, and some that are broken. */
export function numbered(number: number, sender: number): Numbered {
  const kind =
    (["report", "facts", "counter", "report", "facts", "counter", "broken"] as const)[number % 7] ?? "report";
  return { number, kind, sender, command: makers[kind](number, sender) };
}

const at = { producer_timestamp: `${DAY}T10:00:00Z` };

const makers: Readonly<Record<Numbered["kind"], (number: number, sender: number) => TextSubmission>> = {
  report: (number) =>
    a.report(`node-${number % 20}`, {
      ...at,
      start_time: `${DAY}T09:59:00Z`,
      end_time: `${DAY}T09:59:30Z`,
      configuration_version: String(number),
      transaction_uuid: uuidOf(number),
    }),
  facts: (number) => a.facts(factsNode(number), { ...at, values: { number, kernel: "Linux" } }),
  // All of one time: the one that comes last stays.
  counter: (number, sender) => a.facts(countingNode(sender), { ...at, values: { number } }),
  broken: (number) => ({ ...a.facts(`broken-${number}`), payload: `{"number": ${number}` }),
};

/** The transaction of a numbered report. */
export function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** The node of numbered facts. */
export function factsNode(number: number): string {
  return `facts-${number}`;
}

/** The node on which a sender's facts replace each other. */
export function countingNode(sender: number): string {
  return `counter-${sender}`;
}
