/** The log and its servers, as `census command-log status` prints them. */
interface Described {
  readonly address: string;
  readonly log: string;
  readonly head: number;
  readonly not_kept_through: number;
  readonly days: readonly [string, string] | null;
  readonly bytes: number;
  /** When entries are acknowledged. */
  readonly commits: string;
  readonly servers: readonly {
    readonly name: string;
    readonly version: string;
    readonly position: number;
    readonly behind: number;
    readonly seen_seconds_ago: number;
    readonly running: boolean;
    readonly problem: string | null;
  }[];
}

/** For people: a line for each figure and for each server. */
export function statusText({ address, log, head, days, bytes, commits, servers }: Described): string {
  const lines: (readonly [string, string])[] = [
    ["address", address],
    ["log", log],
    ["last entry", String(head)],
    ["kept", days === null ? "nothing" : `${days[0]} to ${days[1]}, ${(bytes / 1e6).toFixed(1)} MB`],
    ["commits", commits],
  ];
  for (const { name, version, position, behind, running, seen_seconds_ago: seen, problem } of servers) {
    const isBehind = behind === 0 ? "" : `, ${behind} behind`;
    const state = problem ?? (running ? "running" : `not seen for ${Math.round(seen)} s`);
    lines.push([name, `at ${position}${isBehind}, Census ${version}, ${state}`]);
  }
  if (servers.length === 0) lines.push(["servers", "none"]);
  const width = Math.max(...lines.map(([label]) => label.length));
  return lines.map(([label, text]) => `${label.padEnd(width)}  ${text}\n`).join("");
}

interface Verified {
  readonly position: number;
  readonly servers: readonly {
    readonly name: string;
    readonly schema: number;
    readonly differs_from: readonly { readonly name: string; readonly tables: readonly string[] }[];
  }[];
  readonly silent: readonly string[];
}

/** For people: what each server had at the position. */
export function verificationText({ position, servers, silent }: Verified): string {
  const lines = servers.map(({ name, schema, differs_from: others }) => {
    const alone = servers.filter((other) => other.schema === schema).length === 1;
    if (alone) return `${name}: not compared, no other server has schema version ${schema}`;
    if (others.length === 0) return `${name}: equal`;
    return `${name}: differs from ${others.map((other) => `${other.name} in ${other.tables.join(", ")}`).join("; from ")}`;
  });
  const missing = silent.map((name) => `${name}: has not said what it has stored`);
  return [`At position ${position} of the log:`, ...lines, ...missing, ""].join("\n");
}
