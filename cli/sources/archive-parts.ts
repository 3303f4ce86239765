import { setImmediate } from "node:timers/promises";
import type { DocumentKind } from "#storage/archive/document-kinds.ts";
import type { Store } from "#storage/store.ts";
import { type Clock, systemClock } from "#storage/time.ts";
import { openArchives, type OpenedArchive } from "./archive.ts";

/** An archive of which the kinds of documents are imported that queries read, each when the first query needs it. */
export class ArchiveParts {
  readonly #path: string;
  readonly #cached: boolean;
  #clock: Clock | undefined;
  readonly #wanted: Set<DocumentKind>;
  #opened: OpenedArchive | undefined;
  /** All stores that are open: queries may read those with fewer kinds. */
  readonly #stores = new Set<Store>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param kinds that will be read, if that is known before */
  constructor(path: string, clock: Clock | undefined, cached: boolean, kinds: Iterable<DocumentKind> = []) {
    this.#path = path;
    this.#clock = clock;
    this.#cached = cached;
    this.#wanted = new Set(kinds);
  }

  /**
   * A store with the content of these kinds, and of those that were needed before.
   * @throws CensusError "bad-file" for an archive that cannot be read
   */
  async having(kinds: Iterable<DocumentKind>): Promise<Store> {
    for (const kind of kinds) this.#wanted.add(kind);
    const opened = this.#last.then(
      async () => this.#open(),
      async () => this.#open(),
    );
    this.#last = opened;
    return opened;
  }

  async #open(): Promise<Store> {
    // What is asked at the same time is imported together.
    await setImmediate();
    const kinds = new Set(this.#wanted);
    if (this.#opened === undefined || !kinds.isSubsetOf(this.#opened.kinds)) {
      this.#opened =
        this.#opened?.withMore === undefined
          ? await openArchives([this.#path], { clock: this.#clock, cached: this.#cached, kinds })
          : await this.#opened.withMore(kinds, {});
      this.#stores.add(this.#opened.store);
      this.#clock ??= this.#opened.store.clock;
    }
    return this.#opened.store;
  }

  /** The clock of the store. */
  async clock(): Promise<Clock> {
    const { archiveClock } = await import("../import-archive.ts");
    return (this.#clock ??= (await archiveClock(this.#path)) ?? systemClock);
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    for (const store of this.#stores) await store.close();
  }
}
