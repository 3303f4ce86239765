import type { JSX } from "preact";
import type { Loaded } from "../data/use-data.ts";
import { useMemo, useState } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { isWhole, useGrowing } from "../list/growing.tsx";
import { literal, query } from "../pql/text.ts";
import { outcomeOf } from "#storage/states/node-state.ts";
import { type Cause, type Causes, findCauses, isError } from "./causes.ts";
import type { CatalogEdge, LogLine, ReportEvent, ReportRow } from "./rows.ts";
import { Icon } from "../icons/icon.tsx";
import { href } from "../address/address.ts";
import { StateMark } from "../state/state-mark.tsx";
import { beginning, refText, type ResourceRef } from "../value/text.ts";
import { marked, Text } from "../value/value.tsx";
import { friendly } from "#storage/display/friendly.ts";
import { Place, ResourceLink } from "../value/resource-link.tsx";

const kinds = { catalog: "No catalog", run: "The run", resource: "Resource" } as const;

/** One failure, with what was skipped because of it. */
function CauseItem({
  cause,
  certname,
  graphOf,
}: {
  readonly cause: Cause;
  readonly certname: string;
  /** The hash of the report, where the catalog says what was skipped because of the failure. */
  readonly graphOf: string | undefined;
}): JSX.Element {
  const { kind, resource, properties, messages, place } = cause;
  const skipped = useMemo(() => cause.skipped(), [cause]);
  return (
    <li class="cause">
      <div class="cause-head">
        <StateMark state="failed" label={false} />
        <strong class="cause-subject">
          {resource === undefined ? kinds[kind] : <ResourceLink resource={resource} />}
          {properties.length === 0 ? null : <bdi> {marked(properties.join(", "))}</bdi>}
        </strong>
        <span class="cause-place">
          {cause.class === undefined ? null : (
            <a class="wrap" href={href("classes", [], { class: cause.class })}>
              <bdi>{marked(beginning(cause.class, 200))}</bdi>
            </a>
          )}
          <Place file={place?.file} line={place?.line} />
        </span>
      </div>
      {messages.map((message) => (
        <p key={message} class="cause-message wrap">
          <Text text={withoutHead(friendly(message, { certname }), kind)} isMultiline />
        </p>
      ))}
      {skipped.length === 0 ? null : <SkippedList label="Skipped because of it" skipped={skipped} />}
      {skipped.length === 0 || resource === undefined || graphOf === undefined ? null : (
        <p data-not-sent>
          <a href={href("graph", [certname], { res: refText(resource), report: graphOf })}>As a graph</a>
        </p>
      )}
    </li>
  );
}

/** Not repeated: the heading says that there is no catalog. */
function withoutHead(message: string, kind: Cause["kind"]): string {
  return kind === "catalog" ? message.replace(/^No catalog: /, "") : message;
}

/** Shown before "all". */
const SHOWN = 3;

interface SkippedListProps {
  readonly label: string;
  readonly skipped: readonly { readonly resource: ResourceRef; readonly after: ResourceRef | undefined }[];
}

/** Resources that were skipped, the nearest first; the rest on demand. */
function SkippedList({ label, skipped }: SkippedListProps): JSX.Element {
  const [isOpened, setIsOpened] = useState(false);
  const isOpen = isOpened || isWhole.value;
  const rest = skipped.length - SHOWN;
  const shown = isOpen || rest <= 1 ? skipped : skipped.slice(0, SHOWN);
  return (
    <div class="skipped">
      <span class="muted">
        {label} ({skipped.length.toLocaleString()}):
      </span>
      <ul class={isOpen ? "skipped-all" : undefined}>
        {shown.map(({ resource, after }) => (
          <li key={refText(resource)}>
            <ResourceLink resource={resource} />
            {isOpen && after !== undefined ? (
              <span class="muted">
                {" "}
                <Icon name="left" /> waits for <bdi>{marked(beginning(refText(after), 120))}</bdi>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {rest <= 1 ? null : (
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setIsOpened(!isOpen)}>
          {isOpen ? "Fewer" : `${rest.toLocaleString()} more`}
        </button>
      )}
    </div>
  );
}

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
