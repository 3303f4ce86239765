import { hasPatterns } from "../engine/pattern-run.ts";
import type { Statement } from "../engine/statements.ts";
import { RecentlyUsed } from "../memory/recently-used.ts";
import { statementKey } from "./statement-key.ts";

/** Queries that have been answered once, of which the keys are kept. */
const MOST_SEEN = 100;

/** Something that is kept of a result. */
interface Sized {
  /** The number of the last commit that it includes. */
  readonly commit: number;
  /** What it takes in memory. */
  readonly bytes: number;
}

/** A query has been answered once, or nothing is kept of its result because something in it is too long or there is too much. */
export type NotKept = "seen" | "unfit";

/** What is kept of results of statements, below a limit of memory: the least recently used are removed first. */
export class KeptResults<T extends Sized> {
  readonly #limit: number;
  readonly #kept: RecentlyUsed<T | NotKept>;

  /** @param limit maximum bytes */
  constructor(limit: number) {
    this.#limit = limit;
    this.#kept = new RecentlyUsed<T | NotKept>({ bytes: limit, entries: MOST_SEEN, sizeOf });
  }

  /** Bytes of all that is kept. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Whether something of this size can be kept. */
  fits({ bytes }: Pick<Sized, "bytes">): boolean {
    return bytes <= this.#limit;
  }

  /**
   * What is kept of the result of a statement.
   * @param order of the rows, where the statement does not say it
   * @returns undefined if the engine must answer: it is the first time, nothing can be kept, or the statement has patterns
   */
  find(statement: Statement, order = ""): { readonly key: string; readonly kept: T | "seen" } | undefined {
    if (hasPatterns(statement.values)) return undefined;
    const key = `${order}${statementKey(statement)}`;
    const kept = this.#kept.peek(key);
    if (kept !== undefined && kept !== "unfit") return { key, kept };
    this.keep(key, kept ?? "seen");
    return undefined;
  }

  /** Whether it is still what is kept for the key: another request may have replaced it. */
  has(key: string, kept: T): boolean {
    return this.#kept.peek(key) === kept;
  }

  /** Keeps it, unless another request has kept a result as of a later commit. */
  keep(key: string, kept: T | NotKept): void {
    const before = this.#kept.peek(key);
    const isOlder = typeof before === "object" && typeof kept === "object" && before.commit > kept.commit;
    this.#kept.set(key, isOlder ? before : kept);
  }
}

function sizeOf(kept: Sized | NotKept): number {
  return typeof kept === "string" ? 0 : kept.bytes;
}
