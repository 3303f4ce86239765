import type { Rows } from "./rows.ts";

/** A part of a text: bytes, or one of other rows. */
export type TextPart = Buffer | { readonly of: Rows; readonly row: number };

/** One row, whose text is made of parts; valid as long as those are. */
export class JoinedText implements Rows {
  readonly count = 1;
  readonly isContinued: boolean;
  readonly #parts: readonly TextPart[];
  readonly #length: number;

  constructor(parts: readonly TextPart[], isContinued: boolean) {
    this.isContinued = isContinued;
    this.#parts = parts;
    this.#length = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  }

  length(): number {
    return this.#length;
  }

  copy(_: number, target: Buffer, at: number): void {
    let to = at;
    for (const part of this.#parts) {
      if ("of" in part) part.of.copy(part.row, target, to);
      else part.copy(target, to);
      to += lengthOf(part);
    }
  }

  bytes(): Buffer {
    const own = Buffer.allocUnsafeSlow(this.#length);
    this.copy(0, own, 0);
    return own;
  }

  texts(): string[] {
    return [this.bytes().toString()];
  }

  end(): void {
    // Its parts belong to others.
  }
}

/** Bytes of a part. */
export function lengthOf(part: TextPart): number {
  return "of" in part ? part.of.length(part.row) : part.length;
}

/** The same rows, each that came in several parts as one. */
export async function* wholeRows(batches: AsyncIterable<Rows>): AsyncGenerator<Rows> {
  let begun: Buffer[] = [];
  for await (const rows of batches) {
    if (begun.length === 0 && rows.isContinued !== true) {
      yield rows;
      continue;
    }
    begun.push(rows.bytes(0));
    if (rows.isContinued === true) continue;
    yield new JoinedText(begun, false);
    begun = [];
  }
}
