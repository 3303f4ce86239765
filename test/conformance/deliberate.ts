import { parseJson } from "#storage/json.ts";
import { compareAnswers, isRefusal } from "./compare.ts";
import { PLAIN_RULES, type Answer, type Recording } from "./recording.ts";

/** What Census may answer instead of what was recorded. */
type Instead = "a good 200" | "a 4xx that says why" | "the same status in other words";

/** Recordings where Census differs on purpose. They are counted apart, and only where the answer is an accepted one. */
export interface Deviation {
  readonly name: string;
  /**
   * every recording whose id is named, whose recorded answers all have the status, or whose recorded text matches, where
   * all its answers are of the generation, if one is named
   */
  readonly where:
    | { readonly ids: readonly string[] }
    | { readonly status: number }
    | { readonly text: RegExp; readonly generation?: string };
  readonly accepts: readonly Instead[];
  readonly reason: string;
}

/** Every deviation, in the order they are tried. */
export const DEVIATIONS: readonly Deviation[] = [
  {
    name: "internal error of PuppetDB",
    where: { status: 500 },
    accepts: ["a good 200", "a 4xx that says why"],
    reason:
      "PuppetDB answers 500 to a user's mistake or a query it cannot run, which is no model to follow " +
      "(reference/query.md §9.4). A 5xx of ours that is not the recorded one is still wrong.",
  },
  {
    name: "spelling of a time that OpenVoxDB dropped",
    where: { text: /is not a valid timestamp value$/, generation: "OpenVoxDB 9" },
    accepts: ["a good 200"],
    reason:
      "OpenVoxDB 9 reads fewer spellings of a time than PuppetDB 8, whose clients write week dates, months and the like " +
      "(reference/query.md §9.5); all that either reads are read here.",
  },
  {
    name: "class of PuppetDB's runtime",
    where: {
      text: /^AST validation failed, but |^Don't know how to create ISeq |^No implementation of method: |^Cannot convert to Instant: class |^No matching clause: :puppetlabs/,
    },
    accepts: ["the same status in other words", "a good 200"],
    reason:
      "The recorded text names a class or an issue tracker of PuppetDB's; it says what is wrong and what to write here " +
      "(reference/query.md §9.3). Where PuppetDB fails over its own route (a report's logs below an environment) we answer.",
  },
  {
    name: "edges of one node's catalog",
    where: { ids: ["openvoxdb-222"] },
    accepts: ["a good 200"],
    reason:
      "The seed interface limits /catalogs/<node>/edges to the node; PuppetDB forgets to and answers every node's.",
  },
  {
    name: "no path for match()",
    where: { ids: ["openvoxdb-068"] },
    accepts: ["a good 200"],
    reason: "No fact path matches, so no node does: an empty answer rather than an error (reference/query.md §5).",
  },
  {
    name: "count of a field that does not exist",
    where: { ids: ["openvoxdb-275"] },
    accepts: ["a 4xx that says why"],
    reason: "A misspelt field must not look like an empty fleet: 400 naming the field instead of a count of 0.",
  },
  {
    name: "null? on an event's values",
    where: { ids: ["openvoxdb-289"] },
    accepts: ["a good 200"],
    reason:
      "The seed interface has null? match events without an old or new value; PuppetDB rewrites the clause by accident " +
      "into one that matches nothing (reference/query.md §4.3).",
  },
  {
    name: "query that only Census answers",
    where: {
      ids: ["pql-111", "pql-141", "inventory-041", "paging-039", "openvoxdb-073", "openvoxdb-465", "openvoxdb-497"],
    },
    accepts: ["a good 200"],
    reason: "People write these, and PuppetDB refuses them: storage/query/extensions.ts lists them.",
  },
  {
    name: "order_by of distinct events",
    where: { ids: ["openvoxdb-565"] },
    accepts: ["a 4xx that says why"],
    reason: "PuppetDB passes the name on to its database, where a column happens to have it; it is no field of events.",
  },
];

const ACCEPTS: Record<Instead, (answer: Answer, recording: Recording) => boolean> = {
  "a good 200": (answer) => answer.status === 200 && isJson(answer.text),
  "a 4xx that says why": (answer) => answer.status < 500 && isRefusal(answer),
  "the same status in other words": (answer, { expected }) =>
    isRefusal(answer) && expected.some((recorded) => sameHead(recorded, answer)),
};

/** The deviation that explains why this answer is not a recorded one, if there is one. */
export function deviationOf(recording: Recording, actual: Answer): Deviation | undefined {
  return DEVIATIONS.find(
    ({ where, accepts }) =>
      concerns(where, recording) && accepts.some((instead) => ACCEPTS[instead](actual, recording)),
  );
}

function concerns(where: Deviation["where"], { id, expected }: Recording): boolean {
  if ("ids" in where) return where.ids.includes(id);
  if ("status" in where) return expected.every((answer) => answer.status === where.status);
  if (!expected.every(({ generation }) => where.generation === undefined || generation === where.generation))
    return false;
  return expected.some((answer) => where.text.test(answer.text));
}

function sameHead(recorded: Answer, actual: Answer): boolean {
  return compareAnswers({ ...PLAIN_RULES, mode: "type" }, recorded, actual).length === 0;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
