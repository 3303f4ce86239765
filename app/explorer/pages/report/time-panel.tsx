import type { JSX } from "preact";
import type { Loaded } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { formatDuration } from "../time/format.ts";
import { marked } from "../value/value.tsx";
import type { Metric } from "./rows.ts";
import { runTime, type TimePart } from "./time-parts.ts";

/** Types shown beside the steps; the table of metrics has all. */
const MOST_TYPES = 5;

/** Where the time of the run went. */
export function TimePanel({ metrics }: { readonly metrics: Loaded<readonly Metric[]> }): JSX.Element {
  const { steps, types } = runTime(metrics.value ?? []);
  const isEmpty = steps.length === 0 && types.length === 0;
  return (
    <Panel
      title="Time"
      loaded={metrics}
      height={60}
      empty={isEmpty ? <p class="muted">The agent sent no times.</p> : undefined}
    >
      <div class="time-groups">
        <TimeBars title="Steps of the run" parts={steps} />
        <TimeBars title="Resources by type" parts={types.slice(0, MOST_TYPES)} others={types.length - MOST_TYPES} />
      </div>
    </Panel>
  );
}

interface TimeBarsProps {
  readonly title: string;
  readonly parts: readonly TimePart[];
  readonly others?: number;
}

function TimeBars({ title, parts, others = 0 }: TimeBarsProps): JSX.Element | null {
  const longest = Math.max(...parts.map(({ seconds }) => seconds), 0.001);
  if (parts.length === 0) return null;
  return (
    <table class="time-bars">
      <caption>
        {title}
        {others > 0 ? <span class="muted"> (and {others.toLocaleString()} shorter ones)</span> : null}
      </caption>
      <tbody>
        {parts.map(({ name, seconds }) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{marked(name)}</bdi>
            </th>
            <td class="time-bar" aria-hidden="true">
              <div style={{ width: `${(100 * seconds) / longest}%` }} />
            </td>
            <td class="number">{seconds < 0.1 ? `${Math.round(seconds * 1000)} ms` : formatDuration(seconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
