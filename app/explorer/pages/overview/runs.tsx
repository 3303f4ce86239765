import type { JSX } from "preact";
import type { Histogram } from "#storage/query/histogram/result.ts";
import { changeParameters } from "../address/address.ts";
import { StackedBars, type StackedBarsProps } from "../charts/stacked-bars.tsx";
import type { Series } from "../charts/axis.ts";
import { Panel } from "../frame/panel.tsx";
import { and, inEnvironment } from "../pql/text.ts";
import type { TimeRange } from "../time/format.ts";
import { useHistogram } from "../data/use-query.ts";
import { useStoredDays } from "../time/range.ts";

/** How runs are shown, by their outcome as the histogram names it. */
const runSeries: readonly Series[] = [
  { key: "failed", label: "failed", token: "failed" },
  { key: "hidden", label: "hidden failures", token: "hidden" },
  { key: "corrective", label: "corrective", token: "corrective" },
  { key: "changed", label: "changed", token: "changed" },
  { key: "pending", label: "pending", token: "pending" },
  { key: "unchanged", label: "unchanged", token: "unchanged" },
];

/** Outcomes that are named even where there are none. */
const usual: ReadonlySet<string> = new Set(["failed", "changed", "unchanged"]);

/** A histogram of runs as bars, without the outcomes that no run had. @param named those that are named all the same */
export function runBars(
  { series, buckets }: Histogram,
  named: ReadonlySet<string> = usual,
): Pick<StackedBarsProps, "series" | "buckets"> {
  const shown = series.flatMap((key, at) => {
    const isThere = named.has(key) || buckets.some(([, ...counts]) => (counts[at] ?? 0) > 0);
    return isThere
      ? [{ at, one: runSeries.find((known) => known.key === key) ?? ({ key, label: key, token: "value" } as const) }]
      : [];
  });
  return {
    series: shown.map(({ one }) => one),
    buckets: buckets.map(([from, ...counts]) => [from, ...shown.map(({ at }) => counts[at] ?? 0)] as const),
  };
}

export interface RunsProps {
  readonly environment: string | undefined;
  readonly range: TimeRange;
  /** A further condition on the reports. */
  readonly where?: string | undefined;
  readonly title?: string;
  readonly height?: number;
}

/** Runs over time by status. Selecting a part of it narrows the time range of the page. */
export function Runs({ environment, range, where, title = "Runs", height }: RunsProps): JSX.Element {
  const loaded = useHistogram({
    name: "Runs over time",
    range,
    entity: "reports",
    where: and(inEnvironment("reports", environment), where),
    by: "status",
  });
  const histogram = loaded.value;
  return (
    <Panel title={title} loaded={loaded} height={180}>
      {histogram === undefined ? null : (
        <StackedBars
          label={title}
          noun="runs"
          {...runBars(histogram)}
          to={range.to}
          {...(height === undefined ? {} : { height })}
          onRange={selectRange}
        />
      )}
    </Panel>
  );
}

/** Nodes over the days of which reports are stored, each with what became of its last run of the day. */
export function NodesOverTime({ environment }: Pick<RunsProps, "environment">): JSX.Element {
  const { range, buckets } = useStoredDays();
  const loaded = useHistogram({
    name: "Nodes by last run",
    range,
    entity: "reports",
    where: inEnvironment("reports", environment),
    by: "status",
    measure: "nodes",
    buckets,
  });
  return (
    <Panel
      title="Nodes by last run"
      loaded={loaded}
      height={180}
      actions={<span class="muted">{`${range.label}, in steps of ${loaded.value?.unit ?? "1 d"}`}</span>}
    >
      {loaded.value === undefined ? null : (
        <StackedBars
          label="Nodes by last run"
          noun="nodes"
          {...runBars(loaded.value)}
          to={range.to}
          countsAnew
          onRange={selectRange}
        />
      )}
    </Panel>
  );
}

/** Makes a part of a chart the time range of the page. */
export function selectRange(from: Date, to: Date): void {
  changeParameters({ from: from.toISOString(), to: to.toISOString(), last: undefined });
}
