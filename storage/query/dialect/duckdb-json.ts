import { quotedText } from "../../engine/quoted-text.ts";
import type { Bind, JsonKind, JsonPart, PathStep } from "./types.ts";

/** JSON values, which are stored as their texts. */
export const json = {
  /** The JSON text of a text, a number, a boolean, or a list of texts; NULL of NULL. */
  text: (value: string): string => `to_json(${value})::VARCHAR`,
  /** The same as an argument of `concat`. */
  piece: (value: string): string => `to_json(${value})`,
  /** The JSON text of an object. NULL is `null`; values are as for `text`. */
  object: (members: readonly (readonly [key: string, value: string])[]): string =>
    `json_object(${members.map(([key, value]) => `${quotedText(key)}, ${value}`).join(", ")})::VARCHAR`,
  /** The text that a JSON text of a string means. */
  string: (text: string): string => `json_extract_string(${text}, '$')`,
  /** The part of a document to which steps lead; without steps, the document. */
  part: (document: string, steps: readonly PathStep[], bind: Bind): JsonPart => new Part(document, steps, bind),
  /** Whether a kind is, or is not, one that is not a number. */
  isKind: (kind: string, test: "=" | "<>", of: Exclude<JsonKind, "number">): string =>
    `${kind} ${test} '${names[of][0]}'`,
  /** Whether a kind is one of some, or none. */
  isOneOf,
  /** A text by which JSON texts are ordered as PostgreSQL's `jsonb` orders them (`jsonb/sort-key.ts`). */
  orderKey: (document: string): string => `CASE WHEN ${document} IS NOT NULL THEN census_sort_key(${document}) END`,
  /** Whether a document contains another one, as `@>` of PostgreSQL's `jsonb`. */
  contains: (document: string, operand: string): string => `census_contains(${document}, ${operand})`,
  /** The text of a document as PostgreSQL's `jsonb` spaces it. */
  spaced: (document: string): string => `census_json_text(${document})`,
  /** Of an array of texts and numbers the first one as a text. */
  firstText: (array: string): string => `${array}->>0`,
  /** All of them as one text. @param separator a text of SQL */
  joinedTexts: (array: string, separator: string): string =>
    `list_aggregate(from_json(${array}, '["VARCHAR"]'), 'string_agg', ${separator})`,
};

class Part implements JsonPart {
  readonly #document: string;
  readonly #hasSteps: boolean;
  readonly #placeOf: () => readonly [within: string, path: string];
  #found: readonly [within: string, path: string] | undefined;

  constructor(document: string, steps: readonly PathStep[], bind: Bind) {
    this.#document = document;
    this.#hasSteps = steps.length > 0;
    this.#placeOf = () => {
      const paths = pathsOf(steps).map((path) => bind(path));
      const last = paths.pop() ?? bind("$");
      return [paths.reduce((within, path) => `json_extract(${within}, ${path})`, document), last];
    };
  }

  get #place(): string {
    return (this.#found ??= this.#placeOf()).join(", ");
  }

  get json(): string {
    return this.#hasSteps ? `json_extract(${this.#place})::VARCHAR` : this.#document;
  }

  get string(): string {
    return `json_extract_string(${this.#place})`;
  }

  get kind(): string {
    return `json_type(${this.#hasSteps ? this.#place : this.#document})`;
  }
}

/**
 * The paths by which steps are followed, each from where the one before it leads. A JSON path distinguishes keys from indexes,
 * but cannot spell an empty key, and takes a key that is `*` for a wildcard even in quotes. A JSON pointer takes all keys as they
 * are, but reads digits as an index or a key, whichever there is.
 */
function pathsOf(steps: readonly PathStep[]): string[] {
  const paths: { readonly isPointer: boolean; text: string }[] = [];
  for (const step of steps) {
    const isPointer = step.kind === "digits" || (step.kind === "key" && (step.name === "" || step.name === "*"));
    let path = paths.at(-1);
    if (path?.isPointer !== isPointer) paths.push((path = { isPointer, text: isPointer ? "" : "$" }));
    path.text += isPointer ? pointerStep(step.name) : pathStep(step);
  }
  return paths.map(({ text }) => text);
}

function pointerStep(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function pathStep(step: PathStep): string {
  // DuckDB rejects larger indexes; no array is that long.
  if (step.kind === "index") return `[${Math.min(step.index, 2 ** 31 - 1)}]`;
  return `."${step.name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** The kinds as `json_type` names them. */
const names = {
  null: ["NULL"],
  string: ["VARCHAR"],
  number: ["BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT", "DOUBLE"],
  boolean: ["BOOLEAN"],
  array: ["ARRAY"],
  object: ["OBJECT"],
} as const satisfies Record<JsonKind, readonly string[]>;

function isOneOf(kind: string, kinds: readonly JsonKind[]): string {
  const wanted = kinds.flatMap((each): readonly string[] => names[each]);
  // Without kinds the SQL still contains the expression, since the statement must use every parameter.
  if (wanted.length === 0) return `${kind} = ''`;
  const list = wanted.map(quotedText).join(", ");
  // DuckDB makes a join of a longer list, and plans of many joins take seconds.
  return wanted.length > 4 ? `list_contains([${list}], ${kind})` : `${kind} IN (${list})`;
}
