import { compareAnswers } from "./compare.ts";
import { PLAIN_RULES } from "./recording.ts";
import type { Client } from "./request.ts";

/** A question that asks for all rows of an entity. */
interface Question {
  readonly path: string;
  /** Rows are a node's, and those of nodes that are not active are wanted too. */
  readonly query?: readonly unknown[];
  /** Keys whose values an archive does not hold, or not as they were sent (reference/archive.md §2). */
  readonly mask?: readonly string[];
}

const anyNode = ["=", "node_state", "any"];
/** Reports are of every node as it is; together with the other, this is a fault of PuppetDB 7. */
const anyReport = ["=", "type", "any"];

/** Every entity: together all that can be asked of a server. */
export const EVERYTHING: readonly Question[] = [
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
 * How two servers' answers differ, a line per question that has other answers.
 * @param mask further keys whose values are not compared, by path
 */
export async function differences(
  one: Client,
  other: Client,
  questions: readonly Question[] = EVERYTHING,
  masks: Readonly<Record<string, readonly string[]>> = {},
): Promise<string[]> {
  const different: string[] = [];
  for (const { path, query, mask = [] } of questions) {
    const search = query === undefined ? "" : `?query=${encodeURIComponent(JSON.stringify(query))}`;
    const request = { method: "GET", path: `/pdb/query/v4${path}${search}`, headers: {} };
    const [expected, actual] = [await one.send(request), await other.send(request)];
    if (expected.status !== 200) throw new Error(`${path} is answered ${expected.status}: ${expected.text}`);
    const rules = { ...PLAIN_RULES, mask: [...mask, ...(masks[path] ?? [])] };
    different.push(...compareAnswers(rules, expected, actual).map((line) => `${path}: ${line}`));
  }
  return different;
}
