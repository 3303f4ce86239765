import type { Database } from "../../engine/database.ts";
import { isOneOf } from "../../engine/rows-of-ids.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { memoryBudget } from "../../memory/budget.ts";
import { Yielder } from "../yielder.ts";
import { DigestFilter } from "./digest-filter.ts";
import { DigestIds, digestNumbers } from "./digest-ids.ts";

/** Entries that are read at once when a table is used first. Those of a larger table are looked up as they occur. */
const READ_AT_ONCE = 500_000;

export interface DictionaryLimits {
  /** Entries of a table that are read when it is used first; of a larger table none. */
  readonly readAtOnce: number;
  /** Entries that are kept. What is beyond is looked up each time. */
  readonly kept: number;
}

export interface DictionaryOptions {
  /** Whether the keys are digests, which take less memory. The table has them as numbers too. */
  readonly isDigest?: boolean;
  readonly limits?: DictionaryLimits;
}

function usualLimits(): DictionaryLimits {
  return { readAtOnce: READ_AT_ONCE, kept: memoryBudget().dictionaryEntries };
}

/** Where the ids of keys are kept: a map, or what takes less memory. */
interface Ids {
  readonly size: number;
  get(key: string): number | undefined;
  set(key: string, id: number): void;
  delete(key: string): void;
  clear(): void;
}

type Reader = Pick<Transaction, "rows"> | Database;

/** Ids of the keys of one batch. */
export interface Resolved {
  /** The id of a key. */
  id(key: string): number;
  /** The keys that the table does not have yet: a row must be added for each. */
  readonly fresh: string[];
}

/**
 * The ids of a dictionary table: `key` → `id`. Entries are cached, so that a batch needs no query; only a table with more
 * entries than are cached is queried.
 */
export class Dictionary {
  readonly #table: string;
  readonly #key: string;
  readonly #ids: Ids;
  readonly #isDigest: boolean;
  readonly #limits: DictionaryLimits;
  #next = 1;
  #isLoaded = false;
  #isComplete = true;
  /** Of a table of digests that is not complete here; absent: not needed yet. */
  #filter: DigestFilter | undefined;

  /** @param key SQL of the text that identifies an entry */
  constructor(table: string, key: string, { isDigest = false, limits = usualLimits() }: DictionaryOptions = {}) {
    this.#table = table;
    this.#key = key;
    this.#isDigest = isDigest;
    this.#limits = limits;
    this.#ids = isDigest ? new DigestIds() : new Map<string, number>();
  }

  /** Forgets everything, e.g. after a rollback; the next use reads the table again. */
  clear(): void {
    this.clearIds();
    this.#filter = undefined;
  }

  /** Forgets the ids because rows were deleted; the next use reads the table again. */
  clearIds(): void {
    this.#ids.clear();
    this.#next = 1;
    this.#isLoaded = false;
    this.#isComplete = true;
  }

  /** Removes entries that have been deleted from the table; they get new ids if they occur again. */
  delete(keys: Iterable<string>): void {
    for (const key of keys) this.#ids.delete(key);
  }

  /**
   * Finds the ids of `keys`, and gives new ids to those that the table does not have.
   * @param near ids of a table of digests among which are many of those that are not cached
   */
  async resolve(reader: Reader, keys: ReadonlySet<string>, near: readonly number[] = []): Promise<Resolved> {
    await this.#load(reader);
    const found = new Map<string, number>();
    const missing: string[] = [];
    const yielder = new Yielder();
    for (const key of keys) {
      if (yielder.isDue()) await yielder.yield();
      const id = this.#ids.get(key);
      if (id === undefined) missing.push(key);
      else found.set(key, id);
    }
    if (!this.#isComplete && missing.length > 0) await this.#lookUp(reader, missing, found, near);
    const newKeys = this.#isComplete ? missing : missing.filter((key) => !found.has(key));
    for (const key of newKeys) {
      if (yielder.isDue()) await yielder.yield();
      const id = this.#next++;
      found.set(key, id);
      this.#filter?.add(key);
      if (!this.#keep(key, id)) this.#isComplete = false;
    }
    return { id: (key) => found.get(key) ?? 0, fresh: newKeys };
  }

  /** Reads what the first lookup in a large table would wait for. */
  async preload(reader: Reader): Promise<void> {
    const { rows } = await this.#sizeIn(reader);
    if (!this.#isDigest || rows <= this.#limits.readAtOnce) return;
    await this.#load(reader);
    await this.#filterOf(reader);
  }

  async #load(reader: Reader): Promise<void> {
    if (this.#isLoaded) return;
    const { rows, next } = await this.#sizeIn(reader);
    this.#next = next;
    this.#isComplete = rows <= this.#limits.readAtOnce;
    if (this.#isComplete && rows > 0) {
      const entries = await reader.rows<{ key: string; id: number }>(
        `SELECT ${this.#key} AS key, id FROM ${this.#table}`,
      );
      for (const { key, id } of entries) this.#ids.set(key, id);
    }
    this.#isLoaded = true;
  }

  /** The number of rows, and the next id. */
  async #sizeIn(reader: Reader): Promise<{ readonly rows: number; readonly next: number }> {
    const [size] = await reader.rows<{ rows: number; next: number }>(
      `SELECT count(*)::INTEGER AS rows, coalesce(max(id), 0)::INTEGER + 1 AS next FROM ${this.#table}`,
    );
    return size ?? { rows: 0, next: 1 };
  }

  async #lookUp(
    reader: Reader,
    missing: readonly string[],
    found: Map<string, number>,
    near: readonly number[],
  ): Promise<void> {
    if (this.#isDigest) return this.#lookUpDigests(reader, missing, found, near);
    // One JSON text is bound in a tenth of the time of as many values.
    const rows = await reader.rows<{ key: string; id: number }>(
      `SELECT ${this.#key} AS key, id FROM ${this.#table} WHERE ${this.#key} IN (SELECT unnest($1::JSON::VARCHAR[]))`,
      [JSON.stringify(missing)],
    );
    for (const { key, id } of rows) this.#found(found, key, id);
  }

  /** Reads all digests of the table only for those that neither are `near` nor are known to be absent. */
  async #lookUpDigests(
    reader: Reader,
    missing: readonly string[],
    found: Map<string, number>,
    near: readonly number[],
  ): Promise<void> {
    const numbers = new Map(missing.map((key) => [digestNumbers(key).join(), key]));
    const noteWhere = async (condition: string): Promise<void> => {
      // The engine reads no text to compare numbers.
      const rows = await reader.rows<{ start: number; end: number; id: number }>(
        `SELECT digest_start::DOUBLE AS "start", digest_end::DOUBLE AS "end", id FROM ${this.#table} WHERE ${condition}`,
      );
      for (const { start, end, id } of rows) {
        const key = numbers.get([start, end].join());
        if (key !== undefined) this.#found(found, key, id);
      }
    };
    if (near.length > 0) await noteWhere(isOneOf("id", near));
    const filter = await this.#filterOf(reader);
    const left = missing.filter((key) => !found.has(key) && filter.mayHave(key));
    if (left.length === 0) return;
    const starts = left.map((key) => digestNumbers(key)[0]);
    // Rows that separate long ones from others have negative ids.
    await noteWhere(`digest_start IN (SELECT unnest('[${starts.join(",")}]'::BIGINT[])) AND id > 0`);
  }

  async #filterOf(reader: Reader): Promise<DigestFilter> {
    if (this.#filter?.isFull !== false) this.#filter = await DigestFilter.read(reader, this.#table, this.#next);
    return this.#filter;
  }

  #found(found: Map<string, number>, key: string, id: number): void {
    found.set(key, id);
    this.#keep(key, id);
  }

  /** @returns whether there was room */
  #keep(key: string, id: number): boolean {
    if (this.#ids.size >= this.#limits.kept) return false;
    this.#ids.set(key, id);
    return true;
  }
}

/** The names in a table of names (`environments`, `producers`). */
export class Names {
  readonly #table: string;
  #known: Set<string> | undefined;

  constructor(table: string) {
    this.#table = table;
  }

  /** Forgets all names; the next use reads the table again. */
  clear(): void {
    this.#known = undefined;
  }

  /** Adds those of `names` that the table does not have. */
  async add(tx: Transaction, names: Iterable<string>): Promise<void> {
    if (this.#known === undefined) {
      const rows = await tx.rows<{ name: string }>(`SELECT name FROM ${this.#table}`);
      this.#known = new Set(rows.map(({ name }) => name));
    }
    for (const name of names) {
      if (this.#known.has(name)) continue;
      await tx.execute(this.#table, `INSERT INTO ${this.#table} VALUES ($1)`, [name]);
      this.#known.add(name);
    }
  }
}
