import { queryRoutes } from "../routes/query-routes.ts";

/** No counted URL has more segments. */
const DEEPEST = 4;

/** URLs that are counted, as segments, and under each of these its leading paths. No other path makes a metric. */
const urls: readonly string[] = [
  "/pdb/cmd/v1",
  "/pdb/admin/v1/archive",
  "/pdb/admin/v1/cmd",
  "/pdb/admin/v1/summary-stats",
  "/pdb/ext/v1/state-overview",
  "/metrics/v2",
  "/status/v1/services",
  "/status/v1/simple",
  ...queryRoutes.map(({ path }) => path.split("/")[0]).map((entity) => `/pdb/query/v4/${entity}`),
];

const metered: ReadonlySet<string> = new Set(urls.flatMap((url) => leadingPaths(url)));

/**
 * The paths under which an answer is counted: of the request's leading paths those that are the interface's, never a
 * node's name or anything else that a client makes up, and none for the version and the time, which are asked for all the
 * time (`reference/metrics.md §5.4`).
 * @param path raw, without the query string
 */
export function meteredPaths(path: string): readonly string[] {
  const known = remembered.get(path);
  if (known !== undefined) return known;
  if (/^\/pdb\/meta(?:\/|$)/.test(path)) return [];
  const paths = leadingPaths(path).filter((leading) => metered.has(leading));
  // Those that name no node are asked for again and again.
  if (metered.has(path)) remembered.set(path, paths);
  return paths;
}

/** Paths that are metered themselves, and under what. */
const remembered = new Map<string, readonly string[]>();

/** `/a/b` → `/a`, `/a/b`. */
function leadingPaths(path: string): string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return segments.slice(0, DEEPEST).map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
}
