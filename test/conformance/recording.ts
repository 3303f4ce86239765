/**
 * Which set of recorded answers: the 7.12 population of 60 nodes, the small one recorded from OpenVoxDB 9, or the requests
 * of PuppetDB 8.8's own tests.
 */
export type CorpusName = "puppetdb" | "openvoxdb" | "puppetdb-tests";

/** How much of an answer is compared (reference/query.md §12). */
export type CompareMode =
  /** status, content type, `X-Records`, JSON body; a top-level array is a multiset */
  | "set"
  /** the same, a top-level array in its order */
  | "ordered"
  /** number of rows and the keys of each row instead of the body */
  | "keys"
  /** number of rows instead of the body */
  | "count"
  /** the body as text, even if it is JSON */
  | "text"
  /** status and content type */
  | "type"
  /** status */
  | "status"
  /** any status outside 2xx with a message in the body: PuppetDB's database refused the query (reference/query.md §9.4) */
  | "refusal";

/** A request, finished: `path` carries the query string, `headers` are all that is sent besides Host and Content-Length. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as far as it can be compared: header names in lower case, the body decoded to text. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An answer that is right, and PuppetDB that gave it. */
export interface ExpectedAnswer extends Answer {
  readonly generation: string;
}

/** What of an answer is compared, and how. */
export interface CompareRules {
  readonly mode: CompareMode;
  /** keys whose values are not compared, at any depth */
  readonly mask: readonly string[];
  /** regular expressions (dot matches newlines) and what replaces their matches in a text */
  readonly textMask: readonly (readonly [pattern: string, replacement: string])[];
  /** inner arrays keep their order too */
  readonly innerOrdered: boolean;
  /** header names, in lower case, that are compared besides content-type and x-records */
  readonly headers: readonly string[];
  /** in mode "ordered": the columns rows are ordered by; rows equal in all of them may swap places. Absent: no row may. */
  readonly orderedBy?: readonly string[];
  /** the lists of names in error texts have no order of their own */
  readonly unorderedNames: boolean;
  /** ms since the epoch: times from here on are of the replay, and the recording has the word NOW for them */
  readonly replayedSince?: number;
}

/** One recorded request with every answer to it that is right, the newest generation first. */
export interface Recording {
  readonly id: string;
  readonly category: string;
  readonly request: RecordedRequest;
  readonly rules: CompareRules;
  readonly expected: readonly [ExpectedAnswer, ...ExpectedAnswer[]];
}

/** The rules of a recording that says nothing of its own. */
export const PLAIN_RULES: CompareRules = {
  mode: "set",
  mask: [],
  textMask: [],
  innerOrdered: false,
  headers: [],
  unorderedNames: false,
};
