import { CensusError, messageOf } from "../errors.ts";
import { NoSelect } from "../engine/session.ts";
import { nearestWords } from "../nearest-words.ts";
import { views } from "./views.ts";

/** The error of a statement, with a message that says what to write instead. */
export class SqlError extends CensusError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("bad-input", message, options);
    this.name = "SqlError";
  }
}

interface ErrorRule {
  readonly pattern: RegExp;
  /** The message, from what the pattern matched. */
  readonly message: (found: readonly string[]) => string;
}

export const onlyReads = "SQL may only read: one SELECT, and nothing else";

/** The engine's messages and ours. */
const errorRules: readonly ErrorRule[] = [
  {
    pattern: /^Catalog Error: Table with name (.+?) does not exist!/,
    message: ([name = ""]) => unknownViewText(name),
  },
  {
    pattern:
      /^Binder Error: Referenced column "(.+?)" not found in FROM clause!(?:\s*Candidate bindings: ([^\n]+))?(?:[^]*?\nLINE \d+: [^\n]*("\1"))?/,
    message: ([name = "", candidates, quoted]) => {
      const known = candidates === undefined || candidates === "" ? "" : `; near are ${plainNames(candidates)}`;
      const text = quoted === undefined ? "" : `; a text is in single quotes: '${name.replaceAll("'", "''")}'`;
      return `there is no column ${JSON.stringify(name)}${known}${text}`;
    },
  },
  {
    pattern:
      /^Binder Error: (?:Table|Values list) "(.+?)" does not have a column named "(.+?)"(?:\s*Candidate bindings: :? ?([^\n]+))?/,
    message: ([view = "", name = "", candidates = ""]) =>
      `${view} has no column ${JSON.stringify(name)}${candidates === "" ? "" : `; near are ${plainNames(candidates)}`}`,
  },
  {
    pattern: /^Conversion Error: Failed to cast value to numerical: [^]*\nLINE \d+: [^\n]*->/,
    message: () =>
      "put what -> and ->> take in parentheses, (parameters->>'mode') = '0777': = and AND come before them",
  },
  {
    pattern: /Permission Error: |file system operations are disabled/,
    message: () => "SQL can read the views only, not files",
  },
  {
    pattern:
      /Cannot prepare multiple statements|[Cc]annot execute statement of type .* read-only|Can only (?:delete|update)|is not an table/,
    message: () => onlyReads,
  },
  {
    pattern: /Values were not provided for the following prepared statement parameters/,
    message: () => "there are no parameters here: write the values themselves",
  },
  { pattern: /^(?:[A-Z]\w+ )+Error: ([^\n]+)/, message: ([text = ""]) => text },
];

/** The message about a table that is not one of the views. */
export function unknownViewText(name: string): string {
  const last = name.split(".").at(-1) ?? name;
  const [near] = nearestWords(
    last,
    views.map((view) => view.name),
  );
  return `there is no view ${JSON.stringify(name)}${near === undefined ? `; there are ${viewNames()}` : `; ${near} is the closest`}`;
}

function viewNames(): string {
  return views.map(({ name }) => name).join(", ");
}

/** `"nodes.certname", "status"` without the quotes. */
function plainNames(list: string): string {
  return list.replaceAll('"', "");
}

/** The engine's error about a statement as an error for users; any other error unchanged. */
export function sqlError(error: unknown): unknown {
  if (error instanceof CensusError) return error;
  if (error instanceof NoSelect) return new SqlError(onlyReads, { cause: error });
  const text = messageOf(error).replace(/^Failed to extract statements: /, "");
  if (/No statements? to prepare|[Ff]ailed to prepare/.test(text))
    return new SqlError("there is no statement", { cause: error });
  for (const { pattern, message } of errorRules) {
    const found = pattern.exec(text);
    if (found !== null) return new SqlError(message(found.slice(1)) + placeIn(text), { cause: error });
  }
  // A text that is longer than one of JavaScript can be.
  if (error instanceof RangeError) return new SqlError("a row is too long", { cause: error });
  return error;
}

/** ` (line 2, at "nods")`: the word above the engine's `^`. */
function placeIn(text: string): string {
  const {
    line,
    excerpt = "",
    blanks,
  } = /\nLINE (?<line>\d+): (?<excerpt>[^\n]*)\n(?<blanks> *)\^/.exec(text)?.groups ?? {};
  if (line === undefined || blanks === undefined) return "";
  const from = blanks.length - `LINE ${line}: `.length;
  const word = /^\S+/.exec(excerpt.slice(Math.max(0, from)))?.[0];
  return ` (line ${line}${word === undefined ? "" : `, at ${JSON.stringify(word.slice(0, 40))}`})`;
}
