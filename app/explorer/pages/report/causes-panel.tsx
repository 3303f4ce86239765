import type { JSX } from "preact";
import type { Loaded } from "../data/use-data.ts";
import { useMemo } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { useGrowing } from "../list/growing.tsx";
import { literal, query } from "../pql/text.ts";
import { outcomeOf } from "#storage/states/node-state.ts";
import { CauseItem, SkippedList } from "./cause-item.tsx";
import { type Causes, findCauses, isError } from "./causes.ts";
import type { CatalogEdge, LogLine, ReportEvent, ReportRow } from "./rows.ts";

export interface CausesPanelProps {
  readonly report: ReportRow;
  readonly events: Loaded<readonly ReportEvent[]>;
  readonly logs: Loaded<readonly LogLine[]>;
}

/** What failed, and what was skipped because of it. Nothing for a run without failure. */
export function CausesPanel({ report, events, logs }: CausesPanelProps): JSX.Element | null {
  const state = outcomeOf(report);
  const hasFailed = state === "failed" || state === "hidden";
  const hasErrors =
    hasFailed || (logs.value ?? []).some(isError) || (events.value ?? []).some(({ status }) => status === "failure");
  const needsEdges = hasErrors && (events.value ?? []).some(({ status }) => status === "skipped");
  const edges = useCatalogEdges(report, needsEdges);
  // It takes long for large reports: not before everything is there.
  const isComplete = events.value !== undefined && logs.value !== undefined;
  const causes = useMemo(
    () => findCauses(isComplete ? { events: events.value, logs: logs.value, edges: edges.value } : noInput),
    [isComplete && events.value, logs.value, edges.value],
  );
  if (!hasErrors) return null;
  const title = hasFailed ? (state === "failed" ? "Why it failed" : "Hidden failure") : "Errors";
  return (
    <Panel
      title={title}
      loaded={[events, logs, ...(edges.loaded === undefined ? [] : [edges.loaded])]}
      height={80}
      actions={
        causes.list.length < 2 ? undefined : <span class="muted">{causes.list.length.toLocaleString()} failures</span>
      }
    >
      {state === "hidden" ? (
        <p>
          No fresh catalog could be had, so the agent applied the one that it had cached. The status of the run is{" "}
          <strong>{report.status ?? "not reported"}</strong>, although the node does not get its new configuration.
        </p>
      ) : null}
      <CauseList report={report} causes={causes} />
    </Panel>
  );
}

const noInput = { events: [], logs: [], edges: undefined } as const;

function CauseList({ report, causes }: { readonly report: ReportRow; readonly causes: Causes }): JSX.Element {
  const { list, unexplained, skipped, basis } = causes;
  const growing = useGrowing(list, { step: 20, noun: "failures" });
  return (
    <>
      {list.length === 0 ? <p>The report has neither a failed event nor an error in its log.</p> : null}
      <ul class="causes">
        {growing.shown.map((cause, index) => (
          // A report's causes never change their order.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <CauseItem
            key={index}
            cause={cause}
            certname={report.certname}
            graphOf={basis === "catalog" ? report.hash : undefined}
          />
        ))}
      </ul>
      {growing.more}
      {unexplained.length === 0 ? null : (
        <SkippedList
          label={
            basis === "catalog"
              ? "Skipped, although nothing that failed comes before them in the catalog"
              : "Also skipped"
          }
          skipped={unexplained.map((resource) => ({ resource, after: undefined }))}
        />
      )}
      {skipped.length === 0 || (basis === "catalog" && skipped.length === unexplained.length) ? null : (
        <p class="muted">{basisText[basis]}</p>
      )}
    </>
  );
}

const basisText: Readonly<Record<Causes["basis"], string>> = {
  catalog: "Skipped resources are listed below the failure that they depend on in the catalog of this run.",
  log: "Skipped resources are listed below the failure that the log names. The catalog of this run is no longer stored.",
  nothing: "Neither the log nor a stored catalog says which failure the resources were skipped for.",
};

/** The edges of the catalog that the run applied, when it is still the node's stored one. */
function useCatalogEdges(
  report: ReportRow,
  isNeeded: boolean,
): { readonly value: readonly CatalogEdge[] | undefined; readonly loaded: Loaded<unknown> | undefined } {
  const { certname, catalog_uuid: uuid } = report;
  const ofNode = `certname = ${literal(certname)}`;
  const catalog = useQuery<{ catalog_uuid: string | null }>(
    isNeeded && uuid !== null
      ? { name: "The node's catalog", pql: query("catalogs", { select: ["catalog_uuid"], where: ofNode }) }
      : undefined,
  );
  const isSame = uuid !== null && catalog.value?.[0]?.catalog_uuid === uuid;
  const edges = useQuery<CatalogEdge>(
    isNeeded && isSame
      ? {
          name: "Dependencies in the catalog",
          pql: query("edges", {
            select: ["relationship", "source_type", "source_title", "target_type", "target_title"],
            where: ofNode,
          }),
        }
      : undefined,
  );
  if (!isNeeded || uuid === null) return { value: undefined, loaded: undefined };
  return { value: isSame ? edges.value : undefined, loaded: isSame ? edges : catalog };
}
