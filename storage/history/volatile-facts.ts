import { pathOfKey } from "../ingest/fact-paths.ts";

/**
 * Facts that change from run to run by themselves. Their changes are not recorded: they would be nearly all of the
 * history and say nothing about what somebody did. A path names a fact or a part of one, with dots; `*` is any one part. What
 * is below it is volatile too.
 */
export const volatileFacts: readonly string[] = [
  "uptime",
  "uptime_seconds",
  "uptime_hours",
  "uptime_days",
  "system_uptime",
  "sp_uptime",
  "load_averages",
  "memoryfree",
  "memoryfree_mb",
  "swapfree",
  "swapfree_mb",
  "sp_swapfree",
  "memory.*.available",
  "memory.*.available_bytes",
  "memory.*.capacity",
  "memory.*.used",
  "memory.*.used_bytes",
  "mountpoints.*.available",
  "mountpoints.*.available_bytes",
  "mountpoints.*.capacity",
  "mountpoints.*.used",
  "mountpoints.*.used_bytes",
  "processors.speed",
  "ec2_metadata.iam",
  "ec2_metadata.identity-credentials",
];

/** Decides which facts are volatile. */
export class VolatilePaths {
  readonly #paths: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** A text that is the same for the same paths. */
  readonly identity: string;
  /** The names of top-level facts that are volatile or have such parts; undefined: any may. */
  readonly names: ReadonlySet<string> | undefined;

  /** @param more paths besides {@link volatileFacts} */
  constructor(more: readonly string[] = []) {
    const paths = [...volatileFacts, ...more].map((path) => path.split("."));
    this.identity = JSON.stringify([...volatileFacts, ...more]);
    this.#paths = Map.groupBy(paths, ([name = ""]) => name);
    this.names = this.#paths.has(ANY) ? undefined : new Set(this.#paths.keys());
  }

  /** The path in a dictionary key of a scalar, a JSON array; undefined: it is volatile. */
  steadyPath(key: string): string | undefined {
    const path = pathOfKey(key);
    return this.has(path) ? undefined : path;
  }

  /** Whether a top-level fact may be volatile or have volatile parts. */
  mayHave(name: string): boolean {
    return this.names?.has(name) !== false;
  }

  /** Whether a fact or a part of it is volatile or has volatile parts. @param path the fact's name first */
  touches(path: readonly string[]): boolean {
    const [name = ""] = path;
    const candidates = [...(this.#paths.get(name) ?? []), ...(this.#paths.get(ANY) ?? [])];
    return candidates.some((parts) => parts.every((part, at) => at >= path.length || matches(part, path[at])));
  }

  /** @param path the path of a scalar as a JSON array, the fact's name first */
  has(path: string): boolean {
    if (!this.#paths.has(nameOf(path)) && !this.#paths.has(ANY)) return false;
    const elements = (JSON.parse(path) as (string | number)[]).map(String);
    const candidates = [...(this.#paths.get(elements[0] ?? "") ?? []), ...(this.#paths.get(ANY) ?? [])];
    return candidates.some((parts) => parts.every((part, at) => matches(part, elements[at])));
  }
}

/** The name of the fact in a path, without reading the rest of it unless the name has an escape. */
function nameOf(path: string): string {
  const name = path.slice(2, path.indexOf('"', 2));
  return name.includes("\\") ? String((JSON.parse(path) as unknown[])[0]) : name;
}

const ANY = "*";

function matches(part: string, element: string | undefined): boolean {
  return element !== undefined && (part === ANY || part === element);
}
