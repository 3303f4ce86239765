import { CensusError } from "../errors.ts";
import type { MemoryBudget } from "../memory/budget.ts";
import type { CommandName } from "./commands.ts";
import { MAX_DOCUMENT_DEPTH } from "./clean.ts";
import {
  afterString,
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  viewOf,
} from "./json-bytes.ts";
import { plainOrQuoted, quoted } from "./problems.ts";

/** Limits of one command. A part is an element of a top-level list or object: a fact, a resource, a log line. */
export interface CommandBounds {
  /** Bytes of the payload, unpacked. */
  readonly unpackedBytes: number;
  /** The same for a report, whose events are stored separately as well. */
  readonly reportBytes: number;
  /** Values of the payload, including lists and objects. */
  readonly values: number;
  /** The same for a fact set, whose values are stored individually. */
  readonly factsetValues: number;
  /** Bytes of one part. */
  readonly partBytes: number;
  /** Nesting depth of lists and objects; at most {@link MAX_DOCUMENT_DEPTH}. */
  readonly depth: number;
}

const MIB = 1024 * 1024;

/**
 * Several times what large sites send: catalogs of 40 MB, fact sets of several MB, reports with 100,000 resources.
 * Puppet's agent warns at fact sets of 2,048 values.
 */
export const defaultBounds: CommandBounds = {
  unpackedBytes: 128 * MIB,
  reportBytes: 128 * MIB,
  values: 5_000_000,
  factsetValues: 250_000,
  partBytes: 8 * MIB,
  depth: MAX_DOCUMENT_DEPTH,
};

/** Limits of commands that another process has accepted. */
export const boundsOfAccepted: CommandBounds = {
  unpackedBytes: 2 ** 32,
  reportBytes: 2 ** 32,
  partBytes: 2 ** 32,
  values: Infinity,
  factsetValues: Infinity,
  depth: defaultBounds.depth,
};

/** Bytes of the largest command that can be prepared, for each value that it may have … */
const BYTES_A_VALUE = 32;

/** … and for each value that is stored individually. */
const BYTES_A_FACT_VALUE = 256;

/**
 * The given bounds, with defaults for the others, each reduced to what memory allows.
 * @param largest bytes of the largest command and the largest report that can be prepared
 */
export function boundsWithin(
  given: Partial<CommandBounds>,
  { largestCommand: largest, largestReport }: Pick<MemoryBudget, "largestCommand" | "largestReport">,
): CommandBounds {
  const wanted = { ...defaultBounds, ...given };
  return {
    ...wanted,
    unpackedBytes: Math.min(wanted.unpackedBytes, largest),
    reportBytes: Math.min(wanted.unpackedBytes, largestReport),
    values: Math.min(wanted.values, Math.floor(largest / BYTES_A_VALUE)),
    factsetValues: Math.min(wanted.factsetValues, Math.floor(largest / BYTES_A_FACT_VALUE)),
  };
}

/** The settings of the bounds (`app/settings/sections/census.ts`), as messages name them. */
export const boundSettings = {
  unpackedBytes: "max-command-unpacked-size",
  reportBytes: "max-command-unpacked-size",
  values: "max-command-values",
  factsetValues: "max-factset-values",
  partBytes: "max-command-part-size",
  depth: "max-command-depth",
} as const satisfies Record<keyof CommandBounds, string>;

/** A command that exceeds a bound, and so can never be stored. */
export class BoundsError extends CensusError {
  /** The bound that it exceeds. */
  readonly bound: keyof CommandBounds;

  constructor(bound: keyof CommandBounds, message: string) {
    super("bad-input", message);
    this.name = "BoundsError";
    this.bound = bound;
  }
}

/** The command that a survey is about. */
export interface Surveyed {
  readonly command: CommandName;
  readonly version: number;
  readonly certname: string;
}

/** The bound on values for a command. */
function boundOnValues(command: CommandName): "factsetValues" | "values" {
  return command === "replace facts" ? "factsetValues" : "values";
}

/** The bound on bytes for a command. */
function boundOnBytes(command: CommandName): "reportBytes" | "unpackedBytes" {
  return command === "store report" ? "reportBytes" : "unpackedBytes";
}

/**
 * Bytes from which on a payload must be surveyed: a smaller one exceeds no bound except that on depth
 * ({@link isNestedDeeper}). A value takes at least two bytes, including its separator.
 */
export function surveyedFrom(command: CommandName, bounds: CommandBounds): number {
  return Math.min(bounds[boundOnBytes(command)], bounds.partBytes, bounds[boundOnValues(command)] * 2);
}

/** Depth inside the brackets of a top-level list or object. */
const PARTS = 2;

/** Maximum bytes of the name of a member in messages. */
const MAX_NAME_BYTES = 256;

/**
 * Compares a payload with the bounds in pieces, without parsing it. Bytes that are not JSON pass, because reading them
 * fails later.
 */
export class Survey {
  readonly #of: Surveyed;
  readonly #bounds: CommandBounds;
  readonly #bytesBound: "reportBytes" | "unpackedBytes";
  readonly #valuesBound: "factsetValues" | "values";
  #bytes = 0;
  #values = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The start of the current part, or of the current scalar of the top level. */
  #partFrom = 0;
  /** The last text of the two outermost levels, where it is within one piece. */
  #text: Uint8Array | undefined;
  /** The current member of the top level. */
  #member: string | undefined;
  /** The name of the current part, as spelled; only decoded for messages. */
  #partName: Uint8Array | undefined;
  /** The index of the current part. */
  #index = 0;

  constructor(of: Surveyed, bounds: CommandBounds) {
    this.#of = of;
    this.#bounds = bounds;
    this.#bytesBound = boundOnBytes(of.command);
    this.#valuesBound = boundOnValues(of.command);
  }

  /**
   * Reads the next bytes of the unpacked payload.
   * @throws BoundsError
   */
  add(bytes: Uint8Array): void {
    const { depth: deepest } = this.#bounds;
    const mostBytes = this.#bounds[this.#bytesBound];
    const mostValues = this.#bounds[this.#valuesBound];
    const before = this.#bytes;
    this.#bytes += bytes.length;
    if (this.#bytes > mostBytes) throw this.#exceeded(this.#bytesBound, `is larger than ${mostBytes} bytes`);
    for (let at = this.#isInString ? this.#afterString(bytes, 0) : 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        const end = this.#afterString(bytes, at + 1);
        if (this.#depth <= PARTS) this.#text = this.#isInString ? undefined : bytes.subarray(at + 1, end - 1);
        at = end - 1;
      } else if (byte === COMMA) {
        if (++this.#values > mostValues) throw this.#tooMany(mostValues);
        if (this.#depth <= PARTS) this.#endPart(before + at, 1);
      } else if (byte === COLON) {
        if (this.#depth <= PARTS) this.#beginMember(before + at);
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (++this.#values > mostValues) throw this.#tooMany(mostValues);
        if (++this.#depth > deepest) throw this.#exceeded("depth", `is nested deeper than ${deepest} levels`);
        if (this.#depth <= PARTS) this.#beginLevel(before + at);
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (this.#depth <= PARTS) this.#endPart(before + at, 0);
        this.#depth--;
      }
    }
    this.#checkPart(this.#bytes);
  }

  /** The place after the closing quote of the current string; the end where the string continues. */
  #afterString(bytes: Uint8Array, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      at++;
      this.#isEscaped = false;
    }
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#isInString = false;
        return at + 1;
      }
      if (byte === BACKSLASH) at++;
    }
    this.#isInString = true;
    this.#isEscaped = at > bytes.length;
    return bytes.length;
  }

  #beginLevel(at: number): void {
    this.#partFrom = at + 1;
    this.#index = 0;
    this.#partName = undefined;
  }

  #beginMember(at: number): void {
    this.#partFrom = at + 1;
    const name = this.#text !== undefined && this.#text.length <= MAX_NAME_BYTES ? this.#text : undefined;
    this.#partName = this.#depth === PARTS ? name : undefined;
    if (this.#depth < PARTS) this.#member = decoded(name);
  }

  #endPart(at: number, by: number): void {
    this.#checkPart(at);
    this.#partFrom = at + 1;
    if (this.#depth === PARTS) this.#index += by;
  }

  /** @param at the end of the part, or of its bytes so far */
  #checkPart(at: number): void {
    const { partBytes } = this.#bounds;
    // A text that is the whole payload may be a catalog's JSON, which is surveyed separately.
    if (this.#depth > 0 && at - this.#partFrom > partBytes)
      throw this.#exceeded("partBytes", `is larger than ${partBytes} bytes`);
  }

  #tooMany(values: number): BoundsError {
    return this.#exceeded(this.#valuesBound, `has more than ${values} values`);
  }

  #exceeded(bound: keyof CommandBounds, what: string): BoundsError {
    const { command, version, certname } = this.#of;
    const place = bound === "partBytes" || bound === "depth" ? this.#place() : "the payload";
    const text = `${command} v${version} of ${plainOrQuoted(certname)}: ${place} ${what} (${boundSettings[bound]})`;
    return new BoundsError(bound, text);
  }

  /** `values.disks`, `resources[17]`, as far as it is known. */
  #place(): string {
    if (this.#member === undefined) return "the payload";
    const member = shown(this.#member);
    if (this.#depth < PARTS) return member;
    const name = decoded(this.#partName);
    return name === undefined ? `${member}[${this.#index}]` : `${member}.${shown(name)}`;
  }
}

function decoded(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}

function shown(name: string): string {
  return /^[\w-]{1,80}$/.test(name) ? name : quoted(name);
}

/** The bit in which `[` and `{`, `]` and `}` differ. */
const OBJECT_BIT = OPEN_LIST ^ OPEN_OBJECT;

/** Whether lists and objects of a JSON text are nested deeper than `levels`; a third of the cost of a {@link Survey}. */
export function isNestedDeeper(json: Uint8Array, levels: number): boolean {
  const { length } = json;
  const view = viewOf(json);
  let depth = 0;
  for (let at = length > levels ? 0 : length; at < length; at++) {
    const byte = view.getUint8(at);
    if (byte === QUOTE) at = afterString(view, at + 1) - 1;
    else if (byte >= OPEN_LIST) {
      const bracket = byte | OBJECT_BIT;
      if (bracket === OPEN_OBJECT && ++depth > levels) return true;
      if (bracket === CLOSE_OBJECT) depth--;
    }
  }
  return false;
}

/**
 * Surveys a payload that is completely in memory.
 * @throws BoundsError
 */
export function survey(of: Surveyed, payload: Uint8Array, bounds: CommandBounds): void {
  if (payload.length >= surveyedFrom(of.command, bounds)) new Survey(of, bounds).add(payload);
}
