import type { Registry } from "../registry.ts";

/** Counts answers to HTTP requests, per URL (`reference/metrics.md §5.4`). */
export class HttpMetrics {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * @param paths the URL and the leading paths of it that are counted too; the caller keeps their number small, since
   * each is kept for as long as the process lives
   * @param ms from the request's first byte to the answer's last
   */
  answered(paths: readonly string[], status: number, ms: number): void {
    for (const path of paths) {
      this.#registry.get("http", `${path}.service-time`, "timer").update(ms);
      this.#registry.get("http", `${path}.${status}`, "meter").mark();
    }
  }
}
