import type { ServerResponse } from "node:http";
import type { HttpMetrics } from "#storage/metrics/families/http.ts";

/** Listeners on one response, beyond which Node would warn of a leak. */
const MAX_LISTENERS = 30;

/**
 * Counts the response to a request that has just begun, and how long it takes.
 * @param paths the paths under which it is counted
 */
export function measure(http: HttpMetrics, paths: readonly string[], response: ServerResponse): void {
  // The listener, metrics, logs and time limits all listen for the end of a response.
  response.setMaxListeners(MAX_LISTENERS);
  if (paths.length === 0) return;
  const started = performance.now();
  response.once("close", () => http.answered(paths, response.statusCode, performance.now() - started));
}
