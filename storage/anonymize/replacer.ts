import { CensusError } from "../errors.ts";
import { isInteger } from "../hash/canonical.ts";
import { isNumber, type Json, type JsonObject } from "../json.ts";
import { MAX_DOCUMENT_DEPTH } from "../wire/clean.ts";
import type { Kind, TextKind, ValueKind } from "./kinds.ts";
import type { NodeNames } from "./node-names.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { RecentTexts } from "./recent-texts.ts";
import { Judge, type Profile, type Verdict } from "./rules.ts";

/**
 * Replaces single values by the rules of a profile. Values that it keeps change only where they contain nodes' names.
 * The subject is the text that the rules of a kind apply to: a resource's type, a fact's name.
 */
export class Replacer {
  readonly #judges: ReadonlyMap<Kind, Judge>;
  readonly #pseudonyms: Pseudonyms;
  readonly #names: NodeNames;
  readonly #kept = new RecentTexts<string>();
  readonly #typeNames = new RecentTexts<string>();

  constructor(profile: Profile, pseudonyms: Pseudonyms, names: NodeNames) {
    this.#judges = new Map(Object.entries(profile).map(([kind, policy]) => [kind as Kind, new Judge(policy)]));
    this.#pseudonyms = pseudonyms;
    this.#names = names;
  }

  /** Adds a node's name, which is then replaced inside other texts. */
  addName(certname: string): void {
    if (this.#names.add(certname)) this.#kept.clear();
  }

  verdict(kind: Kind, subject = ""): Verdict {
    return this.#judges.get(kind)?.of(subject) ?? "hidden";
  }

  text(kind: TextKind, text: string, subject = ""): string {
    return this.verdict(kind, subject) === "kept" ? this.kept(text) : this.#pseudonyms.text(kind, text);
  }

  /**
   * A tag, or another word that may be a type in lower case. It is kept or replaced as the type is.
   * @param type the type of the resource that it belongs to, if it is known
   */
  tag(tag: string, type = ""): string {
    const name = this.#typeName(tag);
    const isKept =
      this.verdict("tag", name) === "kept" || (this.verdict("type", type) === "kept" && isPartOf(name, type));
    return isKept ? this.kept(tag) : this.#pseudonyms.text("type", name).toLowerCase();
  }

  /** The spelling of `apache::vhost` as a type. */
  #typeName(tag: string): string {
    const known = this.#typeNames.get(tag);
    if (known !== undefined) return known;
    const name = tag.replace(/(^|::)(.)/gu, (_all, colons: string, first: string) => colons + first.toUpperCase());
    this.#typeNames.set(tag, name);
    return name;
  }

  /** A text that every profile keeps, except for nodes' names. */
  kept(text: string): string {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const result = this.#names.replaceIn(text);
    this.#kept.set(text, result);
    return result;
  }

  /** The complete name of a host. */
  host(name: string): string {
    return this.#names.host(name);
  }

  /** Any hidden value: every leaf and every key is replaced, the structure remains. */
  hidden(kind: ValueKind, value: Json, depth = 0): Json {
    if (typeof value === "string") return this.#pseudonyms.text(kind, value);
    if (value === null) return null;
    if (typeof value === "boolean") return this.#pseudonyms.boolean(kind, value);
    if (isNumber(value)) return this.#pseudonyms.number(kind, value);
    const inside = deeper(depth);
    if (Array.isArray(value)) return value.map((element) => this.hidden(kind, element, inside));
    return mapObject(
      value,
      (key) => this.#pseudonyms.text(kind, key),
      (element) => this.hidden(kind, element, inside),
    );
  }

  /** A kept value, except for nodes' names in its texts and keys. */
  keptValue(value: Json, depth = 0): Json {
    if (typeof value === "string") return this.kept(value);
    if (value === null || typeof value === "boolean" || isNumber(value)) return value;
    const inside = deeper(depth);
    if (Array.isArray(value)) return value.map((element) => this.keptValue(element, inside));
    return mapObject(
      value,
      (key) => this.kept(key),
      (element) => this.keptValue(element, inside),
    );
  }

  /** A line number. */
  line(value: Json): Json {
    if (!isNumber(value) || !isInteger(value)) return value === null ? null : this.hidden("parameter-value", value);
    return this.verdict("line") === "kept" ? value : this.#pseudonyms.number("line", value);
  }
}

/**
 * One level further inside a document.
 * @throws CensusError "bad-input" where no command may be nested that deep
 */
export function deeper(depth: number): number {
  if (depth < MAX_DOCUMENT_DEPTH) return depth + 1;
  throw new CensusError("bad-input", `nested deeper than ${MAX_DOCUMENT_DEPTH} levels`);
}

/** Whether a type is this one, or contains it as a segment. */
function isPartOf(name: string, type: string): boolean {
  return type === name || type.split("::").includes(name);
}

/** An object with replaced keys and values; safe for keys such as `__proto__`. */
export function mapObject(
  object: JsonObject,
  key: (key: string) => string,
  value: (value: Json, key: string) => Json,
): JsonObject {
  const result: JsonObject = {};
  for (const name of Object.keys(object)) {
    const renamed = key(name);
    const changed = value(object[name] as Json, name);
    if (renamed === "__proto__") Object.defineProperty(result, renamed, { ...OWN, value: changed });
    else result[renamed] = changed;
  }
  return result;
}

const OWN = { configurable: true, enumerable: true, writable: true } as const;
