import type { ComponentChildren, JSX } from "preact";
import { Age } from "../time/age.tsx";
import { formatDuration, formatTime } from "../time/format.ts";
import { Text } from "../value/value.tsx";
import { catalogLabel, type ReportRow } from "./rows.ts";

/** When, how long, with what: one line a term, several beside each other. */
export function Summary({ report }: { readonly report: ReportRow }): JSX.Element {
  const { start_time: start, end_time: end } = report;
  return (
    <dl class="report-summary">
      <Term name="Start">
        <time dateTime={start ?? undefined}>{formatTime(start, "second")}</time>{" "}
        <span class="muted">
          <Age time={start} />
        </span>
      </Term>
      <Term name="End">
        <time dateTime={end ?? undefined}>{formatTime(end, "second")}</time>
      </Term>
      <Term name="Duration">{duration(start, end)}</Term>
      <Term name="Environment">
        <Text text={report.environment ?? "–"} limit={80} />
      </Term>
      <Term name="Configuration version">
        {report.configuration_version === "" ? (
          <span class="muted">none</span>
        ) : (
          <Text text={report.configuration_version ?? "–"} limit={80} />
        )}
      </Term>
      <Term name="Catalog">{catalogLabel(report.cached_catalog_status)}</Term>
      <Term name="Agent">
        <Text text={report.puppet_version ?? "–"} limit={80} />
      </Term>
      <Term name="Producer">
        <Text text={report.producer ?? "–"} limit={80} />
      </Term>
    </dl>
  );
}

/** A term and its description. */
export function Term({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function duration(start: string | null, end: string | null): string {
  if (start === null || end === null) return "–";
  return formatDuration((Date.parse(end) - Date.parse(start)) / 1000);
}
