import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { Strip } from "../charts/strip.tsx";
import type { Loaded } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import type { NodeRow } from "../nodes/node-row.ts";
import { outcomeOf } from "#storage/states/node-state.ts";
import { durationOf } from "../time/duration.ts";
import { formatDuration, formatTime } from "../time/format.ts";
import { median, type Run } from "./run-times.ts";

export interface RunsPanelProps {
  readonly node: NodeRow;
  /** Newest first. */
  readonly runs: Loaded<readonly Run[]>;
}

/** The last runs as a strip: height is the duration, colour and shape the state. */
export function RunsPanel({ node, runs: loaded }: RunsPanelProps): JSX.Element {
  const runs = [...(loaded.value ?? [])].reverse();
  const durations = runs.flatMap((run) => durationOf(run) ?? []);
  const middle = median(durations);
  return (
    <Panel
      title={runs.length < 2 ? "Runs" : `Last ${runs.length} runs`}
      loaded={loaded}
      height={90}
      actions={<a href={href("node", [node.certname, "reports"])}>All reports</a>}
      empty={loaded.value?.length === 0 ? <p>No reports of this node are stored.</p> : undefined}
    >
      <Strip
        label={`Last ${runs.length} runs`}
        runs={runs.map((run) => {
          const seconds = durationOf(run);
          const length = seconds === undefined ? "" : `, ${formatDuration(seconds)}`;
          return {
            key: run.hash,
            href: href("report", [run.hash]),
            state: outcomeOf(run),
            size: seconds ?? 0,
            text: `${formatTime(run.end_time)}${length}`,
          };
        })}
      />
      {middle === undefined ? null : <p class="muted">Median duration: {formatDuration(middle)}</p>}
    </Panel>
  );
}
