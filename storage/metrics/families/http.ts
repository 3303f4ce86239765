import type { Meter } from "../meter.ts";
import type { Registry } from "../registry.ts";
import type { Timer } from "../timer.ts";

/** The instruments for a path and a status. */
interface Instruments {
  readonly time: Timer;
  readonly answers: Meter;
}

/** Counts responses to HTTP requests, per URL (`reference/metrics.md §5.4`). */
export class HttpMetrics {
  readonly #registry: Registry;
  readonly #instruments = new Map<string, Map<number, Instruments>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * @param paths the URL and the leading paths of it that are counted too; the caller keeps their number small, because
   * none is removed while the process runs
   * @param ms from the request's first byte to the response's last
   */
  answered(paths: readonly string[], status: number, ms: number): void {
    for (const path of paths) {
      const { time, answers } = this.#of(path, status);
      time.update(ms);
      answers.mark();
    }
  }

  #of(path: string, status: number): Instruments {
    let known = this.#instruments.get(path);
    if (known === undefined) this.#instruments.set(path, (known = new Map()));
    let instruments = known.get(status);
    if (instruments === undefined) {
      const time = this.#registry.get("http", `${path}.service-time`, "timer");
      const answers = this.#registry.get("http", `${path}.${status}`, "meter");
      known.set(status, (instruments = { time, answers }));
    }
    return instruments;
  }
}
