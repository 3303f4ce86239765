import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { changeParameters, useParameter } from "../address/address.ts";
import { type Loaded, useData } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";
import { CausesPanel } from "./causes-panel.tsx";
import { EventsPanel } from "./events-panel.tsx";
import { LogPanel } from "./log-panel.tsx";
import { refText } from "../value/text.ts";
import { eventColumns, type LogLine, parsedLines, type ReportEvent, type ReportRow } from "./rows.ts";
import { type Metric, runTime, type TimePart } from "#storage/display/run-time.ts";
import { Summary, Term } from "./summary.tsx";
import { marked, Text, Value } from "../value/value.tsx";
import { CopyButton } from "../frame/dialog.tsx";
import { Icon } from "../icons/icon.tsx";
import { formatDuration, formatTime } from "../time/format.ts";
import { list } from "../address/codecs.ts";
import { Panel, PanelBoundary } from "../frame/panel.tsx";
import { isWhole } from "../list/growing.tsx";

/** Types shown beside the steps; the table of metrics has all. */
const MOST_TYPES = 5;

/** Where the time of the run went. */
function TimePanel({ metrics }: { readonly metrics: Loaded<readonly Metric[]> }): JSX.Element {
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

const codec = list();

interface FoldedProps {
  /** Its name in the address, so that a reload finds it open. */
  readonly part: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A panel that is closed at first. */
function Folded({ part, title, children }: FoldedProps): JSX.Element {
  const [open, setOpen] = useParameter("open", codec);
  const isOpen = open.includes(part) || isWhole.value;
  return (
    <section class="panel" aria-label={title}>
      <h2 class="folded-head">
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          onClick={() => setOpen(isOpen ? open.filter((one) => one !== part) : [...open, part], { push: false })}
        >
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {title}
        </button>
      </h2>
      {isOpen ? <PanelBoundary name={title}>{children}</PanelBoundary> : null}
    </section>
  );
}

const names = [
  ["Hash", "hash"],
  ["Catalog", "catalog_uuid"],
  ["Transaction", "transaction_uuid"],
  ["Code", "code_id"],
  ["Job", "job_id"],
] as const;

/** Hashes, uuids and the times of arrival. */
function Identifiers({ report }: { readonly report: ReportRow }): JSX.Element {
  return (
    <Folded part="ids" title="Identifiers">
      <dl class="report-summary">
        {names.map(([name, column]) => {
          const value = report[column];
          return (
            <Term key={column} name={name}>
              {value === null ? (
                <span class="muted">none</span>
              ) : (
                <>
                  <span class="mono">
                    <Text text={value} limit={200} />
                  </span>{" "}
                  <CopyButton class="plain" text={value} label={`Copy: ${name}`}>
                    <Icon name="copy" />
                  </CopyButton>
                </>
              )}
            </Term>
          );
        })}
        <Term name="Report format">
          <Value value={report.report_format} />
        </Term>
        <Term name="Sent by the producer">{formatTime(report.producer_timestamp, "second")}</Term>
        <Term name="Received">{formatTime(report.receive_time, "second")}</Term>
      </dl>
    </Folded>
  );
}

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

/** Every number that the agent sent, by category. */
function MetricsPanel({ metrics }: { readonly metrics: Loaded<readonly Metric[]> }): JSX.Element | null {
  const { value } = metrics;
  if (value === undefined || value.length === 0) return null;
  const categories = [...new Set(value.map(({ category }) => category))];
  return (
    <Folded part="metrics" title={`All metrics (${value.length.toLocaleString()})`}>
      <div class="report-metrics">
        {categories.map((category) => (
          <table key={category}>
            <caption>
              <bdi>{marked(category)}</bdi>
            </caption>
            <tbody>
              {value
                .filter((metric) => metric.category === category)
                .map((metric) => (
                  <tr key={metric.name}>
                    <th scope="row">
                      <Value value={metric.name} />
                    </th>
                    <td class="number">
                      <Value value={metric.value} />
                      {category === "time" ? " s" : ""}
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        ))}
      </div>
    </Folded>
  );
}
