import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { isInteger } from "../hash/canonical.ts";
import { exactNumber, type ExactNumber, numberText } from "../json.ts";
import type { Kind, TextKind } from "./kinds.ts";
import { RecentTexts } from "./recent-texts.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const LETTERS = `${LOWER.toUpperCase()}${LOWER}`;
/** Shorter texts are replaced by texts of this length, so that different texts remain different. */
const SHORTEST = 10;
/** Integers up to this are replaced by any below it. */
const SMALLEST_RANGE = 20n;

/** Makes a replacement from 32 bytes that depend on the value, and from its length. */
type Shape = (bytes: Buffer, text: string, from: Pseudonyms) => string;

/** The spellings of replacements (reference/archive.md §5.1). */
const SHAPES: Readonly<Record<TextKind, Shape>> = {
  node: hostName,
  type: typeName,
  title: letters,
  "parameter-name": lowerLetters,
  "parameter-value": letters,
  "catalog-input-type": lowerLetters,
  "catalog-input-value": lowerLetters,
  file: (bytes) => {
    const names = spell(bytes, LOWER, 20);
    return `/etc/puppet/modules/${names.slice(0, 10)}/manifests/${names.slice(10)}.pp`;
  },
  message: letters,
  text: (_bytes, text) => "?".repeat(text.length),
  "fact-name": letters,
  "fact-value": letters,
  environment: letters,
  version: letters,
  uuid: (bytes) => {
    const hex = bytes.toString("hex", 0, 16);
    const variant = "89ab".charAt((bytes[8] ?? 0) & 3);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  },
};

/**
 * Replacements for values: the same kind and value always have the same one, and without the salt nobody can guess or
 * reverse it. They are computed (HMAC-SHA-256) rather than stored, so memory does not grow with the number of values,
 * and the same salt gives the same replacements. Different texts have different replacements, except for about two of a
 * billion pairs; numbers and booleans have too few values for that.
 */
export class Pseudonyms {
  readonly #key: KeyObject;
  readonly #texts = new Map<TextKind, RecentTexts<string>>();
  readonly #numbers = new Map<Kind, RecentTexts<number | ExactNumber>>();

  /** @param salt the key, preferably 32 bytes */
  constructor(salt: Uint8Array) {
    this.#key = createSecretKey(salt);
  }

  text(kind: TextKind, text: string): string {
    const recent = recentOf(this.#texts, kind);
    const known = recent.get(text);
    if (known !== undefined) return known;
    const replacement = SHAPES[kind](this.#bytes(kind, text), text, this);
    recent.set(text, replacement);
    return replacement;
  }

  /** A number of the same type, integer or not, and not negative: below the given one, however large that is. */
  number(kind: Kind, value: number | ExactNumber): number | ExactNumber {
    const recent = recentOf(this.#numbers, kind);
    const text = numberText(value);
    const known = recent.get(text);
    if (known !== undefined) return known;
    const replacement = (isInteger(value) ? integer : float)(this.#bytes(kind, text), text);
    recent.set(text, replacement);
    return replacement;
  }

  boolean(kind: Kind, value: boolean): boolean {
    return (this.#bytes(kind, String(value)).readUInt8(0) & 1) === 1;
  }

  #bytes(kind: Kind, text: string): Buffer {
    return createHmac("sha256", this.#key).update(`${kind}\0${text}`).digest();
  }
}

function recentOf<K, T>(all: Map<K, RecentTexts<T>>, kind: K): RecentTexts<T> {
  let recent = all.get(kind);
  if (recent === undefined) all.set(kind, (recent = new RecentTexts()));
  return recent;
}

/** Any integer below the given one, or below 20. */
function integer(bytes: Buffer, text: string): number | ExactNumber {
  const limit = BigInt(text);
  const range = limit > SMALLEST_RANGE ? limit : SMALLEST_RANGE;
  return exactNumber(String(BigInt(`0x${bytes.toString("hex")}`) % range));
}

/** Any number below the given one, or below 1; it has a fraction, so that its type does not change. */
function float(bytes: Buffer, text: string): number | ExactNumber {
  const fraction = bytes.readUIntLE(0, 6) / 2 ** 48;
  const drawn = String(fraction * Math.min(Math.max(Number(text), 1), Number.MAX_VALUE));
  return exactNumber(/^\d+$/.test(drawn) ? `${drawn}.0` : drawn);
}

/** Begins with the replacement of the value's own first part, so that `hostname` and `fqdn` of a node still match. */
function hostName(bytes: Buffer, name: string, from: Pseudonyms): string {
  const dot = name.indexOf(".");
  const first = dot > 0 ? from.text("node", name.slice(0, dot).toLowerCase()).slice(0, 10) : spell(bytes, LOWER, 10);
  const rest = spell(bytes.subarray(10), LOWER, 18);
  return `${first}.${rest.slice(0, 15)}.${rest.slice(15)}`;
}

function typeName(bytes: Buffer): string {
  const word = spell(bytes, LOWER, 10);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function letters(bytes: Buffer, text: string): string {
  return spell(bytes, LETTERS, Math.max(SHORTEST, text.length));
}

function lowerLetters(bytes: Buffer, text: string): string {
  return spell(bytes, LOWER, Math.max(SHORTEST, text.length));
}

/** Letters of this length; beyond the number of bytes they repeat, because more letters would not be more distinct. */
function spell(bytes: Buffer, alphabet: string, length: number): string {
  let block = "";
  for (let index = 0; index < bytes.length && index < length; index++) {
    block += alphabet.charAt((bytes[index] ?? 0) % alphabet.length);
  }
  return length <= block.length ? block : block.repeat(Math.ceil(length / block.length)).slice(0, length);
}
