import type { Database } from "../../engine/database.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { Pace } from "../yielder.ts";

/** A dictionary remembers this many entries; beyond it, unknown ones are looked up in the table. */
const REMEMBERED = 500_000;

type Reader = Pick<Transaction, "rows"> | Database;

/**
 * The ids of a dictionary table: `key` → `id`. Entries are remembered so that a batch costs no look-up; a table that
 * outgrows the memory allowed is asked instead.
 */
export class Dictionary {
  readonly #table: string;
  readonly #key: string;
  readonly #ids = new Map<string, number>();
  #next = 1;
  #loaded = false;
  #complete = true;

  /** @param key SQL of the text that identifies an entry */
  constructor(table: string, key: string) {
    this.#table = table;
    this.#key = key;
  }

  /** Forgets everything, e.g. after a rollback; the next use reads the table again. */
  forget(): void {
    this.#ids.clear();
    this.#next = 1;
    this.#loaded = false;
    this.#complete = true;
  }

  /** The table has these no more. Should they come again, they have other ids. */
  drop(keys: Iterable<string>): void {
    for (const key of keys) this.#ids.delete(key);
  }

  /**
   * The ids of `keys`, new ones for those the table does not have.
   * @returns what {@link add} must be called with for each key that is new
   */
  async resolve(reader: Reader, keys: ReadonlySet<string>): Promise<{ id(key: string): number; fresh: string[] }> {
    await this.#load(reader);
    const found = new Map<string, number>();
    const missing: string[] = [];
    const pace = new Pace();
    for (const key of keys) {
      if (pace.isDue()) await pace.rest();
      const id = this.#ids.get(key);
      if (id === undefined) missing.push(key);
      else found.set(key, id);
    }
    if (!this.#complete && missing.length > 0) await this.#lookUp(reader, missing, found);
    const fresh = this.#complete ? missing : missing.filter((key) => !found.has(key));
    for (const key of fresh) {
      if (pace.isDue()) await pace.rest();
      const id = this.#next++;
      found.set(key, id);
      if (this.#ids.size < REMEMBERED) this.#ids.set(key, id);
      else this.#complete = false;
    }
    return { id: (key) => found.get(key) ?? 0, fresh };
  }

  async #load(reader: Reader): Promise<void> {
    if (this.#loaded) return;
    const [size] = await reader.rows<{ rows: number; next: number }>(
      `SELECT count(*)::INTEGER AS rows, coalesce(max(id), 0)::INTEGER + 1 AS next FROM ${this.#table}`,
    );
    this.#next = size?.next ?? 1;
    this.#complete = (size?.rows ?? 0) <= REMEMBERED;
    if (this.#complete && (size?.rows ?? 0) > 0) {
      const rows = await reader.rows<{ key: string; id: number }>(`SELECT ${this.#key} AS key, id FROM ${this.#table}`);
      for (const { key, id } of rows) this.#ids.set(key, id);
    }
    this.#loaded = true;
  }

  async #lookUp(reader: Reader, missing: readonly string[], found: Map<string, number>): Promise<void> {
    const rows = await reader.rows<{ key: string; id: number }>(
      `SELECT ${this.#key} AS key, id FROM ${this.#table} WHERE ${this.#key} IN (SELECT unnest($1))`,
      [missing],
    );
    for (const { key, id } of rows) found.set(key, id);
  }
}

/** The names in a table of names (`environments`, `producers`). */
export class Names {
  readonly #table: string;
  #known: Set<string> | undefined;

  constructor(table: string) {
    this.#table = table;
  }

  forget(): void {
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
      await tx.execute(`INSERT INTO ${this.#table} VALUES ($1)`, [name]);
      this.#known.add(name);
    }
  }
}
