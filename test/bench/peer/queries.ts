import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A query that PuppetDB's speed is known for. */
export interface PeerQuery {
  readonly id: string;
  /** path and parameters */
  readonly target: string;
}

interface Line {
  readonly id: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * The queries of `bench-queries.ndjson`, none where that file is not.
 * @param oracle the folder it lies in
 */
export function peerQueries(oracle: string): PeerQuery[] {
  const file = join(oracle, "bench-queries.ndjson");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { id, path, params = {} } = JSON.parse(line) as Line;
    const pairs = Object.entries(params).map(
      ([name, value]) => `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
    );
    return { id, target: pairs.length === 0 ? path : `${path}?${pairs.join("&")}` };
  });
}
