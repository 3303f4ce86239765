import { CensusError } from "../errors.ts";
import { type Json, isNumber } from "../json.ts";
import type { CommandName } from "./commands.ts";

/**
 * A command that can never be processed: its payload breaks its wire format, or its version is unknown. Code
 * `bad-input`; the message names command, version, certname and the places, e.g.
 * `replace catalog v9 of web-01: resources[3].tags[0]: expected a string, found a number`.
 */
export class WireError extends CensusError {
  constructor(message: string, logged?: string) {
    super("bad-input", message, { logged });
    this.name = "WireError";
  }
}

/** Maximum characters of a client's text in a message. */
const MAX_QUOTE = 80;

/** Collects the problems of one payload while it is walked. */
export class Problems {
  /** the current place: keys and indexes from the payload down */
  readonly path: (string | number)[] = [];
  /** the payload's certname, once it is known */
  certname: string | undefined;
  readonly #command: CommandName;
  readonly #version: number;
  readonly #texts: string[] = [];
  /** The same without values from the payload. */
  readonly #logged: string[] = [];
  #count = 0;

  constructor(command: CommandName, version: number) {
    this.#command = command;
    this.#version = version;
  }

  /** Adds a problem at the current path, or at `below` under it. */
  add(text: string, ...below: (string | number)[]): void {
    this.#add([...this.path, ...below], text, text);
  }

  /**
   * The same for a text that quotes the payload.
   * @param logged the text for logs, without the quote
   */
  addQuoting(text: string, logged: string): void {
    this.#add(this.path, text, logged);
  }

  #add(path: readonly (string | number)[], text: string, logged: string): void {
    this.#count++;
    // Further ones are counted.
    if (this.#texts.length >= 5) return;
    const place = pathText(path);
    this.#texts.push(`${place}: ${text}`);
    this.#logged.push(`${place}: ${logged}`);
  }

  /** Adds the problem that the value is of another kind than expected; there is nothing to read then. */
  mismatch(expected: string, found: Json): undefined {
    this.add(`expected ${expected}, found ${kindOfValue(found)}`);
    return undefined;
  }

  /** Whether there are problems. */
  get hasAny(): boolean {
    return this.#count > 0;
  }

  /** All problems with their places. */
  get text(): string {
    return this.#join(this.#texts);
  }

  #join(texts: readonly string[]): string {
    const others = this.#count - this.#texts.length;
    return `${texts.join("; ")}${others > 0 ? `; and ${others} more` : ""}`;
  }

  /** @throws WireError if there are problems */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const of = this.certname === undefined ? "" : ` of ${plainOrQuoted(this.certname)}`;
    const message = (texts: readonly string[]): string =>
      `${this.#command} v${this.#version}${of}: ${this.#join(texts)}`;
    throw new WireError(message(this.#texts), message(this.#logged));
  }
}

/** A client's text inside a message: in quotes, on one line, cut when long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text);
}

/** The same, without quotes where it looks like a certname. */
export function plainOrQuoted(text: string): string {
  return /^[\w.:-]{1,80}$/.test(text) ? text : quoted(text);
}

function pathText(path: readonly (string | number)[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (!/^[\w-]{1,80}$/.test(part)) text += `[${quoted(part)}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text === "" ? "payload" : text;
}

function kindOfValue(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return "a string";
  if (typeof value === "boolean") return "a boolean";
  if (isNumber(value)) return "a number";
  return Array.isArray(value) ? "a list" : "an object";
}
