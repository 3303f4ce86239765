import type { JSX } from "preact";
import type { Histogram } from "#storage/query/histogram/result.ts";
import { changeParameters } from "../address/address.ts";
import type { Series } from "../charts/axis.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import type { TimeRange } from "../time/format.ts";

/** How events are shown, by status. */
const series: readonly Series[] = [
  { key: "failure", label: "failure", token: "failed" },
  { key: "success", label: "success", token: "changed" },
  { key: "noop", label: "noop", token: "pending" },
  { key: "skipped", label: "skipped", token: "unchanged" },
  { key: "audit", label: "audit", token: "value" },
];

export interface EventBarsProps {
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
      onRange={(from, to) => changeParameters({ from: from.toISOString(), to: to.toISOString(), last: undefined })}
    />
  );
}
