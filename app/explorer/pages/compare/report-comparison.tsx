import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Sieve } from "#storage/diff/changes.ts";
import { eventFields, reportFields, reportOf, type ReportRow } from "#storage/diff/contents.ts";
import {
  compareReports,
  type EventChange,
  eventText,
  type LogChange,
  logText,
  type ReportChanges,
  type ReportEvent,
} from "#storage/diff/report.ts";
import { visibilityOf, volatilePatterns } from "#storage/diff/visibility.ts";
import { href } from "../address/address.ts";
import { useQuery } from "../data/use-query.ts";
import { SavePageButton } from "../export/save-page-button.tsx";
import { Panel } from "../frame/panel.tsx";
import { literal, query } from "../pql/text.ts";
import { Text } from "../value/value.tsx";
import { beginning, visibleText } from "../value/text.ts";
import { OnlyOn, ValueChanges, VolatileChoice } from "./comparison-parts.tsx";

export interface ReportComparisonProps {
  /** Hashes. */
  readonly from: string;
  readonly to: string;
  readonly withVolatile: boolean;
  readonly onVolatile: (withVolatile: boolean) => void;
}

type Row = ReportRow & { readonly hash: string };

/** How one run differs from another: its fields, events, metrics, log. */
export function ReportComparisonPanels({ from, to, withVolatile, onVolatile }: ReportComparisonProps): JSX.Element {
  const hashes = `[${literal(from)}, ${literal(to)}]`;
  const reports = useQuery<Row>({
    name: "The reports",
    pql: query("reports", { select: ["hash", ...reportFields], where: `hash in ${hashes} and type = "any"` }),
  });
  const events = useQuery<ReportEvent & { readonly report: string }>({
    name: "Their events",
    pql: query("events", {
      select: ["report", ...eventFields, "timestamp"],
      where: `report in ${hashes}`,
      orderBy: ["timestamp"],
    }),
  });
  const found = useMemo(() => {
    const [before, after] = [from, to].map((hash) => {
      const row = reports.value?.find((one) => one.hash === hash);
      const own = events.value?.filter(({ report }) => report === hash);
      return row === undefined || own === undefined ? undefined : reportOf(row, own);
    });
    if (before === undefined || after === undefined) return undefined;
    const sieve = new Sieve(visibilityOf([], withVolatile ? [] : volatilePatterns));
    return { changes: sieve.report(compareReports(before, after)), volatile: sieve.volatile };
  }, [reports.value, events.value, from, to, withVolatile]);
  const missing = [from, to].find((hash) => reports.value?.some((one) => one.hash === hash) === false);
  if (missing !== undefined) {
    return (
      <p>
        No report with the hash <code>{visibleText(missing)}</code> is stored.
      </p>
    );
  }
  const nodes = [from, to].map((hash) => reports.value?.find((one) => one.hash === hash)?.certname ?? "");
  return (
    <>
      <p class="compare-tools">
        {[from, to].map((hash, index) => (
          <a key={index === 0 ? "from" : "to"} class="wrap" href={href("report", [hash])}>
            Report {visibleText(hash.slice(0, 8))} of {visibleText(nodes[index] ?? "")}
          </a>
        ))}
        <VolatileChoice withVolatile={withVolatile} onVolatile={onVolatile} left={found?.volatile ?? 0} />
        <SavePageButton name="comparison" disabled={found === undefined} />
      </p>
      <Panel title="Report" loaded={[reports, events]} height={300}>
        {found === undefined ? null : (
          <ReportParts changes={found.changes} sides={[from.slice(0, 8), to.slice(0, 8)]} />
        )}
      </Panel>
    </>
  );
}

interface ReportPartsProps {
  readonly changes: ReportChanges;
  readonly sides: readonly [from: string, to: string];
}

/** What differs between two reports. */
export function ReportParts({ changes, sides }: ReportPartsProps): JSX.Element {
  const { head, events, metrics, logs } = changes;
  const [from, to] = sides;
  const isSame = head.length + events.length + metrics.length + logs.length === 0;
  const different = events.flatMap((event) => (event.kind === "changed" ? [event] : []));
  return (
    <>
      {isSame ? <p class="muted">No differences.</p> : null}
      {head.length === 0 ? null : <ValueChanges label="Fields" changes={head} sides={sides} />}
      {different.length === 0 ? null : <h3>Events of both, but different ({different.length.toLocaleString()})</h3>}
      {different.map((event) => (
        <section key={eventText(event)}>
          <p class="wrap">
            <Text text={eventText(event)} limit={300} />
          </p>
          <ValueChanges label={visibleText(beginning(eventText(event), 100))} changes={event.changes} sides={sides} />
        </section>
      ))}
      <OnlyOn side={from} noun="event" items={eventItems(events, "removed")} />
      <OnlyOn side={to} noun="event" items={eventItems(events, "added")} />
      {metrics.length === 0 ? null : (
        <>
          <h3>Metrics ({metrics.length.toLocaleString()})</h3>
          <ValueChanges label="Metrics" changes={metrics} sides={sides} />
        </>
      )}
      <OnlyOn side={from} noun="log line" items={logItems(logs, "removed")} />
      <OnlyOn side={to} noun="log line" items={logItems(logs, "added")} />
    </>
  );
}

function eventItems(
  events: readonly EventChange[],
  kind: "added" | "removed",
): { key: string; content: JSX.Element }[] {
  return events
    .filter((event) => event.kind === kind)
    .map((event, index) => ({
      key: `${index} ${eventText(event)}`,
      content: <Text text={eventText(event)} limit={300} />,
    }));
}

function logItems(logs: readonly LogChange[], kind: LogChange["kind"]): { key: string; content: JSX.Element }[] {
  return logs
    .filter((one) => one.kind === kind)
    .map(({ log }, index) => ({ key: `${index} ${logText(log)}`, content: <Text text={logText(log)} limit={400} /> }));
}
