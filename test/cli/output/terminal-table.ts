import { writeBlocks, writeTable } from "#cli/output/table.ts";
import type { RowWriter, WriteOptions } from "#cli/output/rows.ts";
import { parseTimestamp } from "#storage/time.ts";

/** The present time of the data in these tests. */
export const NOW = "2026-11-20T12:00:00.000Z";

export interface Drawn {
  readonly lines: readonly string[];
  /** What is said on stderr. */
  readonly aside: string;
}

export interface DrawOptions extends WriteOptions {
  /** Columns of the terminal; absent: a pipe. */
  readonly columns?: number;
}

/** What a table of these rows looks like. */
export async function drawnTable(rows: readonly unknown[], options: DrawOptions = {}): Promise<Drawn> {
  return drawn(writeTable, rows, options);
}

/** The same as blocks. */
export async function drawnBlocks(rows: readonly unknown[], options: DrawOptions = {}): Promise<Drawn> {
  return drawn(writeBlocks, rows, options);
}

async function drawn(write: RowWriter, rows: readonly unknown[], { columns, ...options }: DrawOptions): Promise<Drawn> {
  let text = "";
  let aside = "";
  const output = {
    write: (piece: string) => {
      text += piece;
      return Promise.resolve();
    },
    aside: (piece: string) => {
      aside += piece;
    },
  };
  const texts = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row)));
  async function* batches(): AsyncGenerator<readonly string[]> {
    yield* [texts.slice(0, 1), texts.slice(1)];
  }
  const terminal = columns === undefined ? null : { columns, isColoured: false };
  await write(batches(), output, { terminal, now: present, ...options });
  return { lines: text.split("\n").slice(0, -1), aside };
}

function present(): Promise<bigint> {
  return Promise.resolve(parseTimestamp(NOW) ?? 0n);
}
