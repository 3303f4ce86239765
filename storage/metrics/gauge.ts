export type GaugeValue = number | string;

/** A value that is computed when it is asked for. */
export class Gauge {
  readonly kind = "gauge";
  /** What it throws is the asker's to report. */
  readonly read: () => GaugeValue | Promise<GaugeValue>;

  constructor(read: () => GaugeValue | Promise<GaugeValue>) {
    this.read = read;
  }
}

/** A gauge of something costly: asked again only when the last answer is `ms` old. A failure is not kept. */
export function kept<T>(ms: number, ticks: () => number, read: () => Promise<T>): () => Promise<T> {
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
