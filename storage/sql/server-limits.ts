/**
 * What a statement of a client of a server may not do beyond {@link file://./guard.ts}: occupy the engine where it cannot be
 * interrupted, or use memory that the engine does not count.
 */
import { isObject, type Json, type JsonObject } from "../json.ts";
import { SqlError } from "./errors.ts";

/** Characters of a statement. */
const LONGEST = 64 * 1024;

/** Views that a statement may name, each time counted: planning more takes seconds, and cannot be interrupted. */
const MOST_VIEWS = 32;

/**
 * Functions whose result may be many times as long as their arguments. The engine neither counts the memory of their results
 * nor can it be interrupted in one.
 */
const growing: ReadonlySet<string> = new Set(
  `apply array_apply array_reduce array_resize array_transform bitstring format list_apply list_reduce list_resize
   list_transform lpad printf reduce repeat rpad`.split(/\s+/),
);

/** Functions that make a text longer by a factor: nested, they multiply. */
const encoding: ReadonlySet<string> = new Set(
  "base64 bin hex json_quote regexp_escape to_base64 to_binary to_hex url_encode".split(" "),
);
const MOST_ENCODINGS = 2;

/** Functions of FROM that make lists in expressions. */
const ranges: ReadonlySet<string> = new Set(["range", "generate_series"]);

const replacing: ReadonlySet<string> = new Set(["replace", "regexp_replace"]);

/** Characters of a replacement, and how many replacements a statement may have. */
const LONGEST_REPLACEMENT = 32;
const MOST_REPLACEMENTS = 4;

/**
 * @param syntax the tree of an allowed statement
 * @throws SqlError that names what a server does not run
 */
export function checkServerLimits(syntax: JsonObject): void {
  let [views, replacements, encodings] = [0, 0, 0];
  const nodes: Json[] = [syntax];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) nodes.push(...node);
    if (!isObject(node)) continue;
    if (node["type"] === "BASE_TABLE" && ++views > MOST_VIEWS) {
      throw new SqlError(`a server answers statements that name at most ${MOST_VIEWS} views`);
    }
    if (node["type"] === "TABLE_FUNCTION" && isObject(node["function"])) {
      const { function: call, ...rest } = node;
      nodes.push(rest, call["children"] ?? null);
      continue;
    }
    const name = typeof node["function_name"] === "string" ? node["function_name"].toLowerCase() : "";
    if (growing.has(name)) throw new SqlError(`a server does not run the function ${name}`);
    if (ranges.has(name)) throw new SqlError(`a server runs ${name} in FROM only`);
    if (replacing.has(name) && (!isShort(node["children"]) || ++replacements > MOST_REPLACEMENTS)) {
      throw new SqlError(
        `a server runs ${name} with replacements that are texts of at most ${LONGEST_REPLACEMENT} characters, ` +
          `and at most ${MOST_REPLACEMENTS} times in a statement`,
      );
    }
    if (encoding.has(name) && ++encodings > MOST_ENCODINGS) {
      throw new SqlError(`a server runs functions such as ${name} at most ${MOST_ENCODINGS} times in a statement`);
    }
    nodes.push(...Object.values(node));
  }
}

/** @throws SqlError for a statement that is too long to be parsed for a client */
export function checkLength(sql: string): void {
  if (sql.length > LONGEST) throw new SqlError(`a server answers statements of at most ${LONGEST} characters`);
}

/** Whether the third argument is a short constant. */
function isShort(children: Json | undefined): boolean {
  const replacement = Array.isArray(children) ? children[2] : undefined;
  if (replacement === undefined || !isObject(replacement) || replacement["class"] !== "CONSTANT") return false;
  const { value: constant } = replacement;
  const text = isObject(constant ?? null) ? (constant as JsonObject)["value"] : undefined;
  return typeof text === "string" && text.length <= LONGEST_REPLACEMENT;
}
