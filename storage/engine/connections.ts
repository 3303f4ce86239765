import { CensusError } from "../errors.ts";
import type { EngineFile } from "./engine-file.ts";
import { interruptOn } from "./interrupt.ts";
import { Reader } from "./reader.ts";
import type { ReaderPool } from "./reader-pool.ts";
import type { Revival } from "./revival.ts";
import type { Overlay } from "./overlay.ts";
import { type ReadOptions, allRows, rowsWithPatterns } from "./statements.ts";
import { type SqlValue } from "./sql-value.ts";

/** What connections are opened and used with. */
interface Parts {
  readonly place: string;
  readonly file: EngineFile;
  readonly readers: ReaderPool;
  readonly revival: Revival;
}

/** A connection of one user, which is closed when it is released. */
export interface OwnConnection {
  readonly reader: Reader;
  readonly release: () => void;
  /** The error to report for an error of the engine. */
  readonly translate: (error: unknown) => unknown;
}

/** Connections for reading: acquired from the pool, interrupted by signals, released to it. */
export class Connections {
  readonly #parts: Parts;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Opens no more connections. */
  end(): void {
    this.#isClosed = true;
  }

  /** @throws CensusError "bad-file" after {@link end} */
  checkOpen(): void {
    if (this.#isClosed) throw new CensusError("bad-file", `${this.#parts.place}: the store is closed`);
  }

  /** Runs a query and returns all its rows as objects. */
  async rows<T>(sql: string, values: readonly SqlValue[], options: ReadOptions): Promise<T[]> {
    const { readers, revival } = this.#parts;
    const reader = await this.#acquire(options);
    const endInterrupting = interruptOn(options.signal, [reader]);
    try {
      options.signal?.throwIfAborted();
      if (values.length === 0) {
        await reader.overlaid?.prepare();
        return await allRows<T>(reader.connection, sql, values);
      }
      return await rowsWithPatterns<T>(reader, sql, values, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw revival.translate(error);
    } finally {
      endInterrupting();
      readers.release(reader, true);
    }
  }

  /**
   * Yields what `read` yields, with connections of its own. The signal, or leaving the loop, interrupts them.
   * @param begins resolves when it may begin
   * @param count number of connections
   */
  async *reading<T>(
    read: (...readers: [Reader, ...Reader[]]) => AsyncIterable<T>,
    options: ReadOptions,
    count = 1,
  ): AsyncGenerator<T> {
    const { readers: pool, revival } = this.#parts;
    const readers: [Reader, ...Reader[]] = [await this.#acquire(options)];
    const endInterrupting = interruptOn(options.signal, readers);
    let finished = false;
    try {
      while (readers.length < count) readers.push(await this.#acquire(options));
      options.signal?.throwIfAborted();
      yield* read(...readers);
      finished = true;
    } catch (error) {
      options.signal?.throwIfAborted();
      throw revival.translate(error);
    } finally {
      endInterrupting();
      for (const reader of readers) {
        pool.release(reader, finished);
      }
    }
  }

  /** Runs a function with a connection. */
  async use<T>(use: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = await this.#acquire();
    try {
      return await use(reader);
    } finally {
      this.#parts.readers.release(reader, true);
    }
  }

  /** A connection that its user changes, such as by views of its own; the caller releases it. */
  async own(): Promise<OwnConnection> {
    const reader = await this.#acquire({ isOwn: true });
    const { readers, revival } = this.#parts;
    return {
      reader,
      release: () => readers.release(reader, false),
      translate: (error) => revival.translate(error),
    };
  }

  async #acquire({ overlay, isOwn = false }: Pick<ReadOptions, "overlay"> & { isOwn?: boolean } = {}): Promise<Reader> {
    const { file, readers, revival } = this.#parts;
    this.checkOpen();
    if (file.loss !== undefined) throw revival.lost();
    return readers.acquire(() => this.#connect(overlay), { isOwn, overlay: overlay?.key });
  }

  /** An error may occur, or the engine may be closed after it, while the connection is being opened. */
  async #connect(overlay: Overlay | undefined): Promise<Reader> {
    const { file, revival } = this.#parts;
    const { instance } = file;
    try {
      return await Reader.open(instance, { overlay });
    } catch (error) {
      throw revival.translate(error, file.loss !== undefined || instance !== file.instance);
    }
  }
}
