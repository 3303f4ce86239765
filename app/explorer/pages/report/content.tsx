import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { changeParameters } from "../address/address.ts";
import { useData } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";
import { CausesPanel } from "./causes-panel.tsx";
import { EventsPanel } from "./events-panel.tsx";
import { Identifiers } from "./identifiers.tsx";
import { LogPanel } from "./log-panel.tsx";
import { MetricsPanel } from "./metrics-panel.tsx";
import { refText } from "../value/resource-ref.ts";
import { parsedLines } from "./parsed-lines.ts";
import { eventColumns, type LogLine, type Metric, type ReportEvent, type ReportRow } from "./rows.ts";
import { Summary } from "./summary.tsx";
import { TimePanel } from "./time-panel.tsx";

/** Events that are fetched at most; the export has all of them. */
const MOST_EVENTS = 10_000;

/** Everything below the head: causes, time, events, log, metrics. */
export function ReportContent({ report }: { readonly report: ReportRow }): JSX.Element {
  const { hash } = report;
  const events = useQuery<ReportEvent>({
    name: "Events",
    pql: query("events", { select: eventColumns, where: `report = ${literal(hash)}` }),
    limit: MOST_EVENTS,
    includeTotal: true,
  });
  const logs = usePart<LogLine>(hash, "logs", "The log");
  const metrics = usePart<Metric>(hash, "metrics", "Metrics");
  const [sought, setSought] = useState<string | undefined>(undefined);
  const showEvent = (ref: string): void => {
    changeParameters({ status: undefined, type: undefined, class: undefined }, { push: false });
    setSought(ref);
  };
  const showLog = (ref: string): void => {
    changeParameters({ source: ref, level: "debug", text: undefined });
    document.querySelector(".log-panel")?.scrollIntoView({ block: "start" });
  };
  const withEvents = useMemo(
    () => new Set((events.value ?? []).map((event) => refText(resourceOf(event)))),
    [events.value],
  );
  const lines = useMemo(() => parsedLines(logs.value ?? []), [logs.value]);
  const withLines = useMemo(
    () => new Set(lines.flatMap(({ resource, source }) => (resource === undefined ? [] : [source]))),
    [lines],
  );
  return (
    <>
      <Summary report={report} />
      <CausesPanel report={report} events={events} logs={logs} />
      <TimePanel metrics={metrics} />
      <EventsPanel
        hash={hash}
        certname={report.certname}
        loaded={events}
        sought={sought}
        onFound={() => setSought(undefined)}
        onLog={showLog}
        sources={withLines}
      />
      <LogPanel report={report} loaded={logs} lines={lines} withEvents={withEvents} onEvent={showEvent} />
      <MetricsPanel metrics={metrics} />
      <Identifiers report={report} />
    </>
  );
}

function usePart<Row>(hash: string, part: "logs" | "metrics", name: string): ReturnType<typeof useQuery<Row>> {
  return useData<readonly Row[]>({
    name,
    pql: query("reports", { select: [part], where: `hash = ${literal(hash)}` }),
    path: `/pdb/query/v4/reports/${encodeURIComponent(hash)}/${part}`,
  });
}

function resourceOf({ resource_type, resource_title }: ReportEvent): { type: string; title: string } {
  return { type: resource_type, title: resource_title };
}
