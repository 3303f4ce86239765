import { quotedText } from "../../engine/quoted-text.ts";
import type { JsonKind, JsonTexts, PathStep } from "./dialect.ts";

export const json: JsonTexts = {
  text: (value) => `to_json(${value})::VARCHAR`,
  piece: (value) => `to_json(${value})`,
  object: (members) =>
    `json_object(${members.map(([key, value]) => `${quotedText(key)}, ${value}`).join(", ")})::VARCHAR`,
  string: (text) => `json_extract_string(${text}, '$')`,
  path,
  part: (document, at) => `json_extract(${document}, ${at})`,
  partText: (document, at) => `json_extract(${document}, ${at})::VARCHAR`,
  partString: (document, at) => `json_extract_string(${document}, ${at})`,
  kind: (document, at) => (at === undefined ? `json_type(${document})` : `json_type(${document}, ${at})`),
  isKind: (kind, test, of) => `${kind} ${test} '${names[of][0]}'`,
  isOneOf,
  orderKey: (document) => `CASE WHEN ${document} IS NOT NULL THEN census_sort_key(${document}) END`,
  contains: (document, operand) => `census_contains(${document}, ${operand})`,
  spaced: (document) => `census_json_text(${document})`,
  firstText: (array) => `${array}->>0`,
  joinedTexts: (array, separator) => `list_aggregate(from_json(${array}, '["VARCHAR"]'), 'string_agg', ${separator})`,
};

/**
 * A JSON path, which distinguishes keys from indexes, or a JSON pointer, in which digits are an array's index or a key, and
 * which is the only one that can spell an empty key.
 */
function path(steps: readonly PathStep[]): string {
  const needsPointer = steps.some((step) => step.kind === "digits" || (step.kind === "key" && step.name === ""));
  if (needsPointer)
    return steps.map((step) => `/${stepText(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  const texts = steps.map((step) =>
    step.kind === "index"
      ? `[${Math.min(step.index, LAST_INDEX)}]`
      : `."${step.name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
  );
  return `$${texts.join("")}`;
}

/** DuckDB rejects larger indexes; no array is that long. */
const LAST_INDEX = 2 ** 31 - 1;

function stepText(step: PathStep): string {
  return step.kind === "index" ? String(step.index) : step.name;
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

/** DuckDB makes a join of a longer list, and plans of many joins take seconds. */
const MAX_LISTED = 4;

function isOneOf(kind: string, kinds: readonly JsonKind[]): string {
  const wanted = kinds.flatMap((each): readonly string[] => names[each]);
  // Without kinds the SQL still contains the expression, since the statement must use every parameter.
  if (wanted.length === 0) return `${kind} = ''`;
  const list = wanted.map(quotedText).join(", ");
  return wanted.length > MAX_LISTED ? `list_contains([${list}], ${kind})` : `${kind} IN (${list})`;
}
