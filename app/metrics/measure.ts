import type { ServerResponse } from "node:http";
import type { HttpMetrics } from "#storage/metrics/families/http.ts";
import { meteredPaths } from "./metered-paths.ts";

/** So many may listen to one answer before it looks like a leak. */
const LISTENERS = 30;

/** Counts the answer to a request that has just begun, and how long it takes, by its path. */
export function measure(http: HttpMetrics, path: string, response: ServerResponse): void {
  const started = performance.now();
  // The listener, the framework, metrics, logs and time limits all want to know when an answer is out.
  response.setMaxListeners(LISTENERS);
  const paths = meteredPaths(path);
  if (paths.length === 0) return;
  response.once("close", () => http.answered(paths, response.statusCode, performance.now() - started));
}
