import { createWriteStream, type WriteStream } from "node:fs";
import { once } from "node:events";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { Timestamp } from "#storage/time.ts";
import { ReaderGone, UsageError } from "../errors.ts";
import { until } from "../interruptible.ts";
import type { QueryText } from "../names/names-of.ts";
import { printWhyNothing } from "../names/why-nothing.ts";
import { notedRows } from "../output/noted-rows.ts";
import type { Rows } from "../output/rows.ts";
import type { TextFormat } from "../output/formats.ts";
import type { ClosableOutput } from "../output/pager.ts";
import type { TerminalLook } from "../output/terminal.ts";
import { writeBlocks } from "../output/table.ts";
import { writers } from "../output/writers.ts";
import { astOrPql } from "../sources/query-text.ts";
import type { OpenSource } from "../sources/open-source.ts";
import type { TextOutput } from "../stdout.ts";
import { type RanQuery, SavedQueries } from "./saved-queries.ts";

export interface SessionOptions {
  readonly source: OpenSource;
  readonly layout: TextFormat;
  /** Whether the user chose the layout; default: no. */
  readonly isLayoutChosen?: boolean;
  /** The output for results that do not go to a file; it calls `leave` when the user needs no more of one. */
  readonly output: (leave: () => void) => ClosableOutput;
  /** The terminal; null in a pipe. */
  readonly terminal: () => TerminalLook | null;
  /** Opens another source. */
  readonly open: (word: string) => Promise<OpenSource>;
}

/** The state of a shell between queries. */
export class Session {
  source: OpenSource;
  /** Every row as a block of lines. */
  isExpanded = false;
  /** Say how long each answer took. */
  isTimed = false;
  /** The query that `\\save` saves. */
  ran: RanQuery | undefined;
  readonly saved = new SavedQueries();
  readonly #options: SessionOptions;
  #file: { readonly path: string; readonly stream: WriteStream; readonly layout: TextFormat | undefined } | undefined;
  #layout: TextFormat;
  #isLayoutChosen: boolean;
  #running: AbortController | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.source = options.source;
    this.#layout = options.layout;
    this.#isLayoutChosen = options.isLayoutChosen ?? false;
  }

  /** Whether the user chose a format, rather than leaving it to the terminal. */
  get isLayoutChosen(): boolean {
    return this.#isLayoutChosen;
  }

  /** The output format: of the extension of the output file, else the one chosen last. */
  get layout(): TextFormat {
    return this.#file?.layout ?? this.#layout;
  }

  /** Chooses a layout, for an open file as well, whatever its ending. */
  set layout(layout: TextFormat) {
    this.#layout = layout;
    this.#isLayoutChosen = true;
    if (this.#file !== undefined) this.#file = { ...this.#file, layout: undefined };
  }

  /** @throws CensusError when the query fails */
  async query(text: string): Promise<void> {
    if (/^\s*(?:select|with)\s/i.test(text)) throw new UsageError("a query in SQL begins with \\sql: \\sql SELECT …");
    // Parse here first, so that syntax errors have a position for every kind of source.
    const { query } = astOrPql(text);
    this.ran = { language: "query", text };
    await this.answer(async (signal) => (await this.source.query(query, { signal })).rows, { text, isSql: false });
  }

  /**
   * Writes what `rows` finds; {@link interrupt} ends it.
   * @param query whose names are checked if it has no rows
   */
  async answer(rows: (signal: AbortSignal) => Promise<Rows> | Rows, query?: QueryText): Promise<void> {
    const began = performance.now();
    const written = await this.#show(async (output, terminal, signal) => {
      const now = (): Promise<Timestamp> => this.source.now();
      const options = { terminal, now, toSeeAll: "\\x shows all columns" };
      const noted = notedRows(until(signal, await rows(signal)));
      const write = this.layout === "table" && this.isExpanded ? writeBlocks : writers[this.layout];
      await write(noted.rows, output, options);
      return noted;
    });
    if (query !== undefined && written?.isNothing() === true) await printWhyNothing(query, this.source);
    if (this.isTimed) process.stderr.write(`Time: ${(performance.now() - began).toFixed(1)} ms\n`);
  }

  /** Writes a text where answers go. */
  async write(text: string): Promise<void> {
    await this.#show((output) => output.write(text));
  }

  /** @returns what `write` returns; undefined when the user left before its end */
  async #show<T>(
    write: (output: TextOutput, terminal: TerminalLook | null, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const running = new AbortController();
    this.#running = running;
    const leave = (): void => running.abort(new ReaderGone());
    const output = this.#file === undefined ? this.#options.output(leave) : toFile(this.#file.stream);
    const terminal = this.#file === undefined ? this.#options.terminal() : null;
    try {
      return await write(output, terminal, running.signal);
    } catch (error) {
      // Quitting the pager ends the query without an error.
      if (!(error instanceof ReaderGone)) throw error;
      return undefined;
    } finally {
      this.#running = undefined;
      await output.close();
    }
  }

  /** Ends the answer that is being written. @returns whether there was one */
  interrupt(): boolean {
    this.#running?.abort(new Interrupted());
    return this.#running !== undefined;
  }

  /**
   * Answers go to this file from now on; undefined: to the terminal again.
   * @param layout of answers in this file, unless another is chosen later; absent: the one chosen before
   * @throws CensusError "bad-file" when it cannot be written
   */
  async writeTo(path: string | undefined, layout?: TextFormat): Promise<void> {
    await this.#closeFile();
    if (path === undefined) return;
    const stream = createWriteStream(path);
    try {
      await once(stream, "open");
    } catch (error) {
      throw new CensusError("bad-file", `${path}: cannot be written: ${messageOf(error)}`, { cause: error });
    }
    this.#file = { path, stream, layout };
  }

  /** @throws CensusError when the other source cannot be opened; then nothing changes */
  async change(word: string): Promise<void> {
    const other = await this.#options.open(word);
    await this.source.close();
    this.source = other;
  }

  async close(): Promise<void> {
    await this.#closeFile();
    await this.source.close();
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) await new Promise((resolve) => file.stream.end(resolve));
  }
}

/** Ctrl-C, while an answer was being written. */
export class Interrupted extends CensusError {
  constructor() {
    super("timeout", "interrupted");
    this.name = "Interrupted";
  }
}

function toFile(stream: WriteStream): ClosableOutput {
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(new CensusError("bad-file", `${String(stream.path)}: cannot be written: ${messageOf(error)}`));
        });
      }),
    close: () => Promise.resolve(),
  };
}
