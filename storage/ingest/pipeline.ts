/** What a pipeline does with batches: of the queue, or of an import. */
export interface PipelineStages<Batch, Results> {
  /** The next batch, once there is one; undefined ends the pipeline. */
  readonly next: () => Promise<Batch | undefined>;
  /**
   * The next batch, if it may be prepared while `current` is written; otherwise undefined.
   * @param prepared resolves when `current` is prepared
   */
  readonly nextAhead: (current: Batch, prepared: Promise<Results>) => Promise<Batch | undefined>;
  readonly prepare: (batch: Batch) => Promise<Results>;
  readonly write: (batch: Batch, results: Results) => Promise<void>;
}

interface Started<Batch, Results> {
  readonly batch: Batch;
  readonly prepared: Promise<Results>;
}

/** Writes batches one after another, and prepares each while the one before it is written. */
export class Pipeline<Batch, Results> {
  readonly #stages: PipelineStages<Batch, Results>;
  #ahead: Started<Batch, Results> | undefined;

  constructor(stages: PipelineStages<Batch, Results>) {
    this.#stages = stages;
  }

  /**
   * Resolves when there is no batch left; rejects with the first error of a stage.
   * @param isEnough called after each batch: whether to return before the next one, with which another call goes on
   * @returns whether there may be more batches
   */
  async run(isEnough: () => boolean = () => false): Promise<boolean> {
    let hasMore = true;
    do hasMore = await this.#step();
    while (hasMore && !isEnough());
    return hasMore;
  }

  /** A function of its own, so that nothing refers to a batch that was written while the next one is waited for. */
  async #step(): Promise<boolean> {
    const { next, nextAhead, write } = this.#stages;
    const current = this.#ahead ?? this.#start(await next());
    this.#ahead = undefined;
    if (current === undefined) return false;
    this.#ahead = this.#start(await nextAhead(current.batch, current.prepared));
    await write(current.batch, await current.prepared);
    return true;
  }

  #start(batch: Batch | undefined): Started<Batch, Results> | undefined {
    if (batch === undefined) return undefined;
    const prepared = this.#stages.prepare(batch);
    // The error is handled where the batch is awaited; until then the rejection must not count as unhandled.
    prepared.catch(() => undefined);
    return { batch, prepared };
  }
}
