import type { JSX } from "preact";
import { eventStates } from "#storage/states/words.ts";
import { StateShape } from "../state/state-mark.tsx";
import { visibleText } from "../value/text.ts";
import type { Histogram } from "#storage/query/histogram/result.ts";
import type { Series } from "../charts/axis.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import { selectRange } from "../overview/runs.tsx";
import type { TimeRange } from "../time/format.ts";

/** How events are shown, by status. */
const series: readonly Series[] = [
  { key: "failure", label: "failure", token: "failed" },
  { key: "success", label: "success", token: "changed" },
  { key: "noop", label: "noop", token: "pending" },
  { key: "skipped", label: "skipped", token: "unchanged" },
  { key: "audit", label: "audit", token: "value" },
];

interface EventBarsProps {
  readonly histogram: Histogram | undefined;
  readonly range: TimeRange;
}

/** Events over time by status. Selecting a part of it narrows the time range of the page. */
export function EventBars({ histogram, range }: EventBarsProps): JSX.Element | null {
  if (histogram === undefined) return null;
  return (
    <StackedBars
      label="Events"
      noun="events"
      series={histogram.series.map(
        (key) => series.find((one) => one.key === key) ?? { key, label: key, token: "value-2" as const },
      )}
      buckets={histogram.buckets}
      to={range.to}
      height={110}
      onRange={selectRange}
    />
  );
}

const order = Object.keys(eventStates);

/** Place of a status in a list: failures first, skipped resources last. */
export function rankOfStatus(status: string): number {
  const rank = order.indexOf(status);
  return rank === -1 ? order.length : rank;
}

/** The status of an event as shape, colour and word. A success that undid a change from outside is called corrective. */
export function EventStatus({
  status,
  isCorrective,
}: {
  readonly status: string;
  readonly isCorrective: boolean;
}): JSX.Element {
  const isCorrected = isCorrective && status === "success";
  const state = isCorrected ? "corrective" : (eventStates[status] ?? "unchanged");
  return (
    <span
      class={`state-mark ${status === "skipped" ? "muted" : `state-${state}`}`}
      title={isCorrective ? "The resource had been changed outside of Puppet" : undefined}
    >
      <StateShape state={state} />
      <span>{isCorrected ? "corrective" : visibleText(status)}</span>
    </span>
  );
}
