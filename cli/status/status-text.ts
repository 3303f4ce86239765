import type { DirectoryFigures } from "./directory-figures.ts";
import type { FollowedOrigin, ServiceFigures } from "./service-figures.ts";

/** The output of `census status`. */
export interface Status extends ServiceFigures {
  readonly url: string;
  readonly directory: DirectoryFigures | null;
}

/** The status for people: the state in a sentence, then a line for each known figure. */
export function statusText({ url, state, problem, directory, ...figures }: Status): string {
  const lines = [...serviceLines(figures), ...(directory === null ? [] : directoryLines(directory))];
  const known = lines.filter((line): line is readonly [string, string] => line[1] !== undefined);
  const width = Math.max(0, ...known.map(([label]) => label.length));
  return [
    `Census on ${url} is ${state}${problem === null ? "" : `: ${problem}`}`,
    ...known.map(([label, text]) => `${label.padEnd(width)}  ${text}`),
    "",
  ].join("\n");
}

type Line = readonly [label: string, text: string | undefined];

function serviceLines(figures: Omit<ServiceFigures, "state" | "problem">): Line[] {
  const { version, interface_version: spoken, running_since: since, dead_letters: letters } = figures;
  const nodes = { active: figures.active_nodes, inactive: figures.inactive_nodes };
  const queue = { commands: figures.queue_depth, "awaiting retry": figures.awaiting_retry };
  return [
    ["version", version ?? undefined],
    ["interface", spoken === null ? undefined : `PuppetDB ${spoken}`],
    ["running since", since ?? undefined],
    ["nodes", countsText(nodes)],
    ...figures.origins.map((origin): Line => [`origin ${origin.name}`, originText(origin)]),
    ["history", historyText(figures)],
    ["queue", countsText(queue)],
    ["dead letters", letters === null ? undefined : lettersText(letters)],
    ["free space", figures.disk_free_bytes === null ? undefined : bytes(figures.disk_free_bytes)],
  ];
}

/** `following https://pdb:8081, 12 s behind, 1000 nodes`. */
function originText({
  url,
  state,
  behind_seconds: behind,
  nodes,
  problem,
  progress,
  ...counts
}: FollowedOrigin): string {
  const { missing_reports: missing, shared } = counts;
  const parts = [
    `${state} ${url}`,
    ...(problem === null ? [] : [problem]),
    ...(progress === null ? [] : [`${progress.done} of ${progress.total} documents copied`]),
    ...(behind === null ? [] : [`${Math.round(behind)} s behind`]),
    `${nodes} nodes`,
    ...(shared === 0
      ? []
      : [`${shared} of them shared: census query 'nodes[certname]{ origins{ is_current = false } }'`]),
    ...(missing === 0 ? [] : [`${missing} reports missing`]),
  ];
  return parts.join(", ");
}

function historyText({
  history_changes: changes,
  history_bytes: size,
}: Pick<Status, "history_changes" | "history_bytes">): string | undefined {
  return changes === null || size === null ? undefined : `${changes} changes, ${bytes(size)}`;
}

function directoryLines(figures: DirectoryFigures): Line[] {
  const { path, database_written: written, dead_letters: letters } = figures;
  return [
    ["data directory", path],
    ["database", `${bytes(figures.database_bytes)}, last written ${written}, log ${bytes(figures.database_log_bytes)}`],
    ["queue files", bytes(figures.queue_bytes)],
    ["dead letter files", lettersText(letters)],
  ];
}

function lettersText(count: number): string {
  return count === 0 ? "0" : `${count} (see census dead-letters list)`;
}

/** `3 active, 1 inactive`; unknown figures are omitted. */
function countsText(counts: Readonly<Record<string, number | null>>): string | undefined {
  const known = Object.entries(counts).flatMap(([name, count]) => (count === null ? [] : [`${count} ${name}`]));
  return known.length === 0 ? undefined : known.join(", ");
}

function bytes(count: number): string {
  if (count >= 1_000_000_000) return `${(count / 1_000_000_000).toFixed(1)} GB`;
  return count < 1_000_000 ? `${Math.ceil(count / 1000)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}
