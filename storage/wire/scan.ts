import { createHash, type Hash } from "node:crypto";
import {
  type BoundsError,
  boundOnBytes,
  boundOnValues,
  type CommandBounds,
  exceeded,
  type Surveyed,
} from "./bounds.ts";
import { type CommandName, commands } from "./commands.ts";
import { afterString, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE, viewOf } from "./json-bytes.ts";
import { quoted } from "./problems.ts";

/** What a fact set or catalog contains, apart from what differs from run to run. */
export interface Content {
  /** SHA-1 of the payload without times and run ids: two payloads of one command with one digest have the same content. */
  readonly digest: string;
  /** The payload with an empty value in place of each large member; undefined once it is not needed any more. */
  readonly head: Buffer | undefined;
}

/** Members of a command that may differ while its content is the same, and those that need not be read then. */
interface ContentMembers {
  readonly volatile: ReadonlySet<string>;
  /** The empty values that replace them. */
  readonly large: Readonly<Record<string, Buffer>>;
}

const EMPTY_LIST = Buffer.from("[]");

/** Of current versions: most fact sets and nearly all catalogs have the content that the node sent half an hour ago. */
const contentMembers: Readonly<Partial<Record<CommandName, ContentMembers>>> = {
  "replace facts": {
    // The environment is content: it is part of a factset's hash.
    volatile: new Set(["certname", "producer_timestamp", "producer", "timestamp"]),
    large: { values: Buffer.from("{}"), package_inventory: EMPTY_LIST },
  },
  "replace catalog": {
    volatile: new Set([
      "certname",
      "version",
      "environment",
      "transaction_uuid",
      "catalog_uuid",
      "code_id",
      "job_id",
      "producer_timestamp",
      "producer",
    ]),
    large: { resources: EMPTY_LIST, edges: EMPTY_LIST },
  },
};

/** The same of a command of which only the head is read, whatever its content is. */
const largeMembers: Readonly<Partial<Record<CommandName, ContentMembers["large"]>>> = {
  ...Object.fromEntries(Object.entries(contentMembers).map(([command, { large }]) => [command, large])),
  "store report": { metrics: EMPTY_LIST, logs: EMPTY_LIST, resources: EMPTY_LIST },
};

/** Depth inside the brackets of a top-level list or object. */
const PARTS = 2;

/** The bit in which `[` and `{`, `]` and `}` differ. */
const OBJECT_BIT = OPEN_LIST ^ OPEN_OBJECT;

/**
 * The one pass over a payload before it is acknowledged, in pieces and without parsing it: compares it with the bounds, and
 * digests its content. Bytes that are not JSON pass, because reading them fails later.
 */
export class Scan {
  readonly #of: Surveyed;
  readonly #bounds: CommandBounds;
  readonly #bytesBound: "reportBytes" | "unpackedBytes";
  readonly #valuesBound: "factsetValues" | "values";
  readonly #volatile: ContentMembers["volatile"] | undefined;
  readonly #large: ContentMembers["large"] | undefined;
  readonly #hash: Hash | undefined;
  readonly #head: Uint8Array[] = [];
  #bytes = 0;
  #values = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The start of the current part, or of the current scalar of the top level. */
  #partFrom = 0;
  /** The current piece, and the last text of the two outermost levels within it; no text: it begins at -1. */
  #piece: Uint8Array = new Uint8Array();
  #textFrom = -1;
  #textTo = -1;
  /** The current member of the top level; undefined where its name is in two pieces. */
  #member: string | undefined;
  /** The name of the current part, as spelled: within this piece, or of an earlier one. It is only decoded for messages. */
  #nameFrom = -1;
  #nameTo = -1;
  #name: Uint8Array | undefined;
  /** The index of the current part. */
  #index = 0;
  /** Where in this piece the bytes begin that the digest and the head do not have yet; whether each will have them. */
  #copiedTo = 0;
  #isDigested = true;
  #isInHead = true;
  /** Whether the payload is an object, as far as it is known, whose members have known names. */
  #hasContent: boolean;

  /** @param isForHead whether only the head is read, without a digest */
  constructor(of: Surveyed, bounds: CommandBounds, isForHead = false) {
    const { command, version } = of;
    this.#of = of;
    this.#bounds = bounds;
    this.#bytesBound = boundOnBytes(command);
    this.#valuesBound = boundOnValues(command);
    const isNewest = version === commands[command].newest;
    this.#volatile = isNewest && !isForHead ? contentMembers[command]?.volatile : undefined;
    this.#large = isNewest && isForHead ? largeMembers[command] : this.#volatile && contentMembers[command]?.large;
    this.#hash = this.#volatile && createHash("sha1");
    this.#hasContent = this.#large !== undefined;
  }

  /** To be called once, after the last piece. @returns undefined for other commands, older versions and what is not an object */
  end(): Content | undefined {
    const head = this.head();
    return head === undefined || this.#hash === undefined
      ? undefined
      : { digest: this.#hash.digest("base64url"), head };
  }

  /** The head alone, after the last piece. */
  head(): Buffer | undefined {
    const isWhole = this.#hasContent && this.#member !== undefined && this.#depth === 0;
    return isWhole ? Buffer.concat(this.#head) : undefined;
  }

  /**
   * Reads the next bytes of the unpacked payload.
   * @throws BoundsError
   */
  add(bytes: Uint8Array): void {
    const { depth: deepest } = this.#bounds;
    const mostBytes = this.#bounds[this.#bytesBound];
    const mostValues = this.#bounds[this.#valuesBound];
    const view = viewOf(bytes);
    const { length } = bytes;
    const before = this.#bytes;
    this.#piece = bytes;
    this.#copiedTo = 0;
    this.#textFrom = -1;
    this.#bytes += length;
    if (this.#bytes > mostBytes) throw this.#exceeded(this.#bytesBound, `is larger than ${mostBytes} bytes`);
    for (let at = this.#isInString ? this.#afterString(view, this.#isEscaped ? 1 : 0) : 0; at < length; at++) {
      const byte = view.getUint8(at);
      if (byte === QUOTE) {
        const end = this.#afterString(view, at + 1);
        if (this.#depth <= PARTS) [this.#textFrom, this.#textTo] = this.#isInString ? [-1, -1] : [at + 1, end - 1];
        at = end - 1;
      } else if (byte === COMMA) {
        if (++this.#values > mostValues) throw this.#tooMany(mostValues);
        if (this.#depth <= PARTS) this.#endPart(before, at, 1);
      } else if (byte === COLON) {
        if (this.#depth <= PARTS) this.#beginMember(before, at);
      } else if (byte >= OPEN_LIST) {
        const bracket = byte | OBJECT_BIT;
        if (bracket === OPEN_OBJECT) {
          if (++this.#values > mostValues) throw this.#tooMany(mostValues);
          if (++this.#depth > deepest) throw this.#exceeded("depth", `is nested deeper than ${deepest} levels`);
          if (this.#depth <= PARTS) this.#beginLevel(before + at);
        } else if (bracket === CLOSE_OBJECT) {
          if (this.#depth <= PARTS) this.#endPart(before, at, 0);
          this.#depth--;
        }
      }
    }
    this.#checkPart(this.#bytes);
    this.#copy(length);
    if (this.#nameFrom >= 0) this.#name = bytes.subarray(this.#nameFrom, this.#nameTo);
    this.#nameFrom = -1;
  }

  /** The place after the closing quote of the current string; the end where the string continues in the next piece. */
  #afterString(view: DataView, from: number): number {
    const end = afterString(view, from);
    this.#isInString = end > view.byteLength;
    this.#isEscaped = end > view.byteLength + 1;
    return Math.min(end, view.byteLength);
  }

  #beginLevel(at: number): void {
    this.#partFrom = at + 1;
    this.#index = 0;
    this.#nameFrom = -1;
    this.#name = undefined;
  }

  #beginMember(before: number, at: number): void {
    this.#partFrom = before + at + 1;
    // Longer names are not in messages.
    const isNamed = this.#textFrom >= 0 && this.#textTo - this.#textFrom <= 256;
    this.#name = undefined;
    this.#nameFrom = isNamed && this.#depth === PARTS ? this.#textFrom : -1;
    this.#nameTo = this.#textTo;
    if (this.#depth >= PARTS) return;
    this.#member = isNamed ? decoded(this.#piece.subarray(this.#textFrom, this.#textTo)) : undefined;
    if (!this.#hasContent) return;
    if (this.#member === undefined || this.#depth <= 0) {
      this.#hasContent = false;
      return;
    }
    this.#copy(at + 1);
    const empty = this.#large?.[this.#member];
    if (empty !== undefined) this.#head.push(empty);
    this.#isInHead = empty === undefined;
    this.#isDigested = this.#volatile?.has(this.#member) !== true;
  }

  #endPart(before: number, at: number, by: number): void {
    this.#checkPart(before + at);
    this.#partFrom = before + at + 1;
    if (this.#depth === PARTS) this.#index += by;
    else if (!this.#isInHead || !this.#isDigested) {
      this.#copy(at);
      this.#isInHead = this.#isDigested = true;
    }
  }

  /** Adds the bytes up to a place of this piece to what has them. */
  #copy(to: number): void {
    if (this.#hasContent) {
      const bytes = this.#piece.subarray(this.#copiedTo, to);
      if (this.#isDigested) this.#hash?.update(bytes);
      if (this.#isInHead) this.#head.push(bytes);
    }
    this.#copiedTo = to;
  }

  /** @param at the end of the part, or of its bytes so far */
  #checkPart(at: number): void {
    const { partBytes } = this.#bounds;
    // A text that is the whole payload may be a catalog's JSON, which is scanned separately.
    if (this.#depth > 0 && at - this.#partFrom > partBytes)
      throw this.#exceeded("partBytes", `is larger than ${partBytes} bytes`);
  }

  #tooMany(values: number): BoundsError {
    return this.#exceeded(this.#valuesBound, `has more than ${values} values`);
  }

  #exceeded(bound: keyof CommandBounds, what: string): BoundsError {
    const place = bound === "partBytes" || bound === "depth" ? this.#place() : "the payload";
    return exceeded(this.#of, bound, `${place} ${what}`);
  }

  /** `values.disks`, `resources[17]`, as far as it is known. */
  #place(): string {
    if (this.#member === undefined) return "the payload";
    const member = shown(this.#member);
    if (this.#depth < PARTS) return member;
    const spelled = this.#nameFrom < 0 ? this.#name : this.#piece.subarray(this.#nameFrom, this.#nameTo);
    return spelled === undefined ? `${member}[${this.#index}]` : `${member}.${shown(decoded(spelled))}`;
  }
}

function decoded({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("utf8");
}

function shown(name: string): string {
  return /^[\w-]{1,80}$/.test(name) ? name : quoted(name);
}

/**
 * Scans a payload that is completely in memory.
 * @throws BoundsError
 */
export function scan(of: Surveyed, payload: Uint8Array, bounds: CommandBounds): Content | undefined {
  const whole = new Scan(of, bounds);
  whole.add(payload);
  return whole.end();
}

/**
 * A payload with an empty value in place of each large member; undefined for commands and versions whose members are not known,
 * and for what is not an object.
 * @throws BoundsError
 */
export function headOf(of: Surveyed, payload: Uint8Array, bounds: CommandBounds): Buffer | undefined {
  const whole = new Scan(of, bounds, true);
  whole.add(payload);
  return whole.head();
}
