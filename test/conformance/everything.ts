import { compareAnswers } from "./compare.ts";
import { PLAIN_RULES } from "./recording.ts";
import type { Client } from "./request.ts";

/** A request for all rows of an entity. */
interface EntityRequest {
  readonly path: string;
  /** Rows are a node's, and those of nodes that are not active are wanted too. */
  readonly query?: readonly unknown[];
  /** Keys whose values an archive does not contain, or not as they were sent (reference/archive.md §2). */
  readonly mask?: readonly string[];
}

const anyNode = ["=", "node_state", "any"];
/** Reports are of every node by default; with `node_state` as well, PuppetDB 7 fails. */
const anyReport = ["=", "type", "any"];

/** Every entity: together all that a server stores. */
export const EVERYTHING: readonly EntityRequest[] = [
  { path: "/nodes", query: anyNode, mask: ["deactivated", "expired"] },
  { path: "/environments" },
  { path: "/producers" },
  { path: "/factsets", query: anyNode, mask: ["timestamp"] },
  { path: "/facts", query: anyNode },
  { path: "/fact-names" },
  { path: "/fact-paths" },
  { path: "/fact-contents", query: anyNode },
  { path: "/inventory", query: anyNode, mask: ["timestamp"] },
  { path: "/catalogs", query: anyNode },
  { path: "/resources", query: anyNode },
  { path: "/edges", query: anyNode },
  { path: "/catalog-inputs", query: anyNode },
  { path: "/catalog-input-contents", query: anyNode },
  { path: "/reports", query: anyReport },
  { path: "/events", query: anyNode },
  { path: "/packages" },
  { path: "/package-inventory", query: anyNode },
];

/**
 * How two servers' answers differ: a line for each request whose answers differ.
 * @param mask further keys whose values are not compared, by path
 */
export async function differences(
  one: Client,
  other: Client,
  requests: readonly EntityRequest[] = EVERYTHING,
  masks: Readonly<Record<string, readonly string[]>> = {},
): Promise<string[]> {
  const different: string[] = [];
  for (const { path, query, mask = [] } of requests) {
    const search = query === undefined ? "" : `?query=${encodeURIComponent(JSON.stringify(query))}`;
    const request = { method: "GET", path: `/pdb/query/v4${path}${search}`, headers: {} };
    const [expected, actual] = [await one.send(request), await other.send(request)];
    if (expected.status !== 200) throw new Error(`${path} is answered ${expected.status}: ${expected.text}`);
    const rules = { ...PLAIN_RULES, mask: [...mask, ...(masks[path] ?? [])] };
    different.push(...compareAnswers(rules, expected, actual).map((line) => `${path}: ${line}`));
  }
  return different;
}
