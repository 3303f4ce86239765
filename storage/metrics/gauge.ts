export type GaugeValue = number | string;

/** A value that is computed when it is read. */
export class Gauge {
  readonly kind = "gauge";
  /** Errors are reported by the reader. */
  readonly read: () => GaugeValue | Promise<GaugeValue>;

  constructor(read: () => GaugeValue | Promise<GaugeValue>) {
    this.read = read;
  }
}

/** A gauge of a costly value: computed again only when the last value is older than `ms`. Errors are not cached. */
export function cachedFor<T>(ms: number, ticks: () => number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return async () => {
    const now = ticks();
    if (last === undefined || now - last.at >= ms) {
      const value = read();
      const current = { at: now, value };
      last = current;
      value.catch(() => {
        if (last === current) last = undefined;
      });
    }
    return last.value;
  };
}
