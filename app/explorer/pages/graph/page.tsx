import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { href, useParameter, useSegment, useText } from "../address/address.ts";
import { flag, oneOf } from "../address/codecs.ts";
import { useQuery } from "../data/use-query.ts";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { and, literal, query } from "../pql/text.ts";
import { ofNode } from "../node/use-node.ts";
import type { CatalogEdge } from "../report/rows.ts";
import { beginning, parseRef, refText, visibleText } from "../value/text.ts";
import { type Graph, type GraphNode, neighbourhood, skipTree } from "./graph.ts";
import { eventStates, stateLabels } from "#storage/states/words.ts";
import { StateShape } from "../state/state-mark.tsx";
import { BOX, edgePath, graphColumns, graphLayout } from "./layout.ts";
import { marked } from "../value/value.tsx";
import { SkipChains } from "../report/skip-chains.ts";

/** Longer names are cut: the page of the resource has all. Characters. */
const SHOWN_NAME = 200;
/** Edges that are listed of a resource. */
const MOST_EDGES = 5;

/** The same as the picture, in words: the resources by their distance, each with its edges. */
function ResourceList({ graph, statuses, addressOf }: PictureProps): JSX.Element {
  return (
    <div class="graph-list">
      {graphColumns(graph).map(({ column, nodes }) => (
        <section key={column}>
          <h3>{heading(column, graph)}</h3>
          <ul>
            {nodes.map((node) => {
              const status = statuses.get(node.name);
              const state = eventStates[status ?? ""];
              return (
                <li key={node.name} class="wrap">
                  {state === undefined ? null : (
                    <span class={`state-${state}`}>
                      <StateShape state={state} />
                      <span class="visually-hidden">{state === "never" ? "skipped" : stateLabels[state]} </span>
                    </span>
                  )}{" "}
                  <a href={addressOf(node.name)} aria-current={node.column === 0 ? "true" : undefined}>
                    <bdi>{marked(beginning(node.name, SHOWN_NAME))}</bdi>
                  </a>
                  <EdgeWords node={node} graph={graph} />
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}

function heading(column: number, { edges }: Graph): string {
  const isTree = edges.some(({ relationship }) => relationship === "skipped");
  if (column === 0) return isTree ? "Failed" : "The resource";
  if (isTree) return `Skipped, step ${column}`;
  const count = Math.abs(column);
  const side = column < 0 ? "before" : "after";
  return `${count === 1 ? "Directly" : `${count} steps`} ${side} it`;
}

/** What leads to a resource after the middle, and from one before it. */
function EdgeWords({ node, graph }: { readonly node: GraphNode; readonly graph: Graph }): JSX.Element | null {
  if (node.column === 0) return null;
  const own = graph.edges.filter(({ from, to }) => (node.column < 0 ? from : to) === node.name);
  const rest = own.length - MOST_EDGES;
  return (
    <span class="muted">
      {own.slice(0, MOST_EDGES).map(({ from, to, relationship }) => (
        <span key={`${relationship} ${from} ${to}`}>
          {" "}
          · {node.column < 0
            ? (wordsBefore[relationship] ?? relationship)
            : (wordsAfter[relationship] ?? relationship)}{" "}
          <bdi>{marked(beginning(node.column < 0 ? to : from, 80))}</bdi>
        </span>
      ))}
      {rest > 0 ? ` · and ${rest.toLocaleString()} more` : ""}
    </span>
  );
}

const wordsBefore: Readonly<Record<string, string>> = {
  before: "before",
  "required-by": "required by",
  notifies: "notifies",
  "subscription-of": "subscribed to by",
  contains: "contains",
};

const wordsAfter: Readonly<Record<string, string>> = {
  before: "after",
  "required-by": "requires",
  notifies: "notified by",
  "subscription-of": "subscribes to",
  contains: "contained in",
  skipped: "waited for",
};

export interface PictureProps {
  readonly graph: Graph;
  /** What the run did to resources, by their names. */
  readonly statuses: ReadonlyMap<string, string>;
  /** The address that shows another resource. */
  readonly addressOf: (name: string) => string;
}

/** Characters that fit into a box. */
const SHOWN_TITLE = 60;

/** A graph as boxes and arrows; at first its middle is seen. It is hidden from screen readers and the keyboard, which have the list beside it. */
function Picture({ graph, statuses, addressOf }: PictureProps): JSX.Element {
  const { places, width, height } = graphLayout(graph);
  const picture = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: around } = picture;
    const middle = around?.querySelector<HTMLElement>(".graph-middle") ?? undefined;
    if (!around || middle === undefined) return;
    around.scrollTo(
      middle.offsetLeft + (middle.offsetWidth - around.clientWidth) / 2,
      middle.offsetTop + (middle.offsetHeight - around.clientHeight) / 2,
    );
  }, [graph]);
  return (
    <div ref={picture} class="graph-picture" aria-hidden="true">
      <div style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height}>
          <defs>
            <marker id="graph-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0l8 4-8 4z" fill="currentColor" />
            </marker>
          </defs>
          {graph.edges.map(({ from, to, relationship }) => {
            const [start, end] = [places.get(from), places.get(to)];
            if (start === undefined || end === undefined) return null;
            return (
              <path
                key={`${from} ${relationship} ${to}`}
                class={`graph-edge graph-${lines[relationship] ?? "order"}`}
                d={edgePath(start, end)}
                marker-end="url(#graph-arrow)"
              />
            );
          })}
        </svg>
        {graph.nodes.map(({ name, resource, column }) => {
          const place = places.get(name);
          const state = eventStates[statuses.get(name) ?? ""];
          return (
            <a
              key={name}
              href={addressOf(name)}
              tabIndex={-1}
              class={column === 0 ? "graph-box graph-middle" : "graph-box"}
              style={{
                left: `${place?.x ?? 0}px`,
                top: `${place?.y ?? 0}px`,
                width: `${BOX.width}px`,
                height: `${BOX.height}px`,
              }}
              title={visibleText(beginning(refText(resource), 400))}
            >
              {state === undefined ? null : (
                <span class={`state-${state}`}>
                  <StateShape state={state} />
                </span>
              )}
              <bdi>{visibleText(beginning(name, SHOWN_TITLE))}</bdi>
            </a>
          );
        })}
      </div>
    </div>
  );
}

/** How relationships are drawn, where it is not a plain line. */
const lines: Readonly<Record<string, string>> = {
  contains: "contains",
  notifies: "notifies",
  "subscription-of": "notifies",
};

const hopsCodec = oneOf(["1", "2", "3"], "1");

/** Characters of a name in the heading. */
const SHOWN = 200;

interface EventRow {
  readonly resource_type: string;
  readonly resource_title: string;
  readonly status: string;
}

/** What comes before a resource of a catalog, and what after it; or what was skipped because it failed. */
export default function GraphPage(): JSX.Element {
  const certname = useSegment("certname");
  const [name] = useText("res");
  const resource = parseRef(name);
  const back = (
    <a href={href("node", [certname, "catalog"], { res: name })}>
      ‹ <bdi>{visibleText(certname)}</bdi>
    </a>
  );
  if (resource === undefined) {
    return (
      <Page title="Dependencies" before={back}>
        <p>The address names no resource. Choose one in the catalog of the node.</p>
      </Page>
    );
  }
  const shown = visibleText(`${beginning(name, SHOWN)}${name.length > SHOWN ? "…" : ""}`);
  return (
    <Page title={shown} tabTitle={`${shown} · Dependencies`} before={back}>
      <Dependencies certname={certname} resource={resource} />
    </Page>
  );
}

function Dependencies({
  certname,
  resource,
}: {
  readonly certname: string;
  readonly resource: NonNullable<ReturnType<typeof parseRef>>;
}): JSX.Element {
  const [hops, setHops] = useParameter("hops", hopsCodec);
  const [withContainers, setWithContainers] = useParameter("contains", flag);
  const [report] = useText("report");
  const where = ofNode(certname, { isInactive: true });
  const edges = useQuery<CatalogEdge>({
    name: "Edges of the catalog",
    pql: query("edges", {
      select: ["relationship", "source_type", "source_title", "target_type", "target_title"],
      where,
    }),
  });
  const events = useQuery<EventRow>({
    name: report === "" ? "What the last run did" : "What the run did",
    pql: query("events", {
      select: ["resource_type", "resource_title", "status"],
      where: and(where, report === "" ? "latest_report? = true" : `report = ${literal(report)}`),
    }),
  });
  const isOther = useIsOtherCatalog(certname, report);
  const statuses = useMemo(() => worstStatuses(events.value ?? []), [events.value]);
  const graph = useMemo((): Graph => {
    const all = edges.value ?? [];
    if (report === "") return neighbourhood(resource, all, { hops: Number(hops), withContainers });
    const skipped = (events.value ?? [])
      .filter(({ status }) => status === "skipped")
      .map((event) => ({ type: event.resource_type, title: event.resource_title }));
    return skipTree(resource, new SkipChains(skipped, all).from([resource]));
  }, [edges.value, events.value, refText(resource), report, hops, withContainers]);
  const addressOf = (res: string): string =>
    href("graph", [certname], {
      res,
      ...(hops === "1" ? {} : { hops }),
      ...(withContainers ? { contains: "" } : {}),
    });
  const title = report === "" ? "Dependencies" : "Skipped because of it";
  return (
    <>
      {report === "" ? (
        <div class="graph-tools">
          <fieldset class="choice">
            <legend class="visually-hidden">Distance</legend>
            {(["1", "2", "3"] as const).map((one) => (
              <button key={one} type="button" class="plain" aria-pressed={hops === one} onClick={() => setHops(one)}>
                {one} {one === "1" ? "edge" : "edges"}
              </button>
            ))}
          </fieldset>
          <label>
            <input
              type="checkbox"
              checked={withContainers}
              onChange={(event) => setWithContainers(event.currentTarget.checked)}
            />{" "}
            What contains it and what it contains
          </label>
        </div>
      ) : (
        <p class="graph-tools">
          <a href={href("report", [report])}>The report</a>
          <a href={addressOf(refText(resource))}>All that depends on it</a>
        </p>
      )}
      <Panel
        title={title}
        loaded={[edges, events]}
        height={200}
        empty={graph.nodes.length > 1 ? undefined : <p>{nothing({ report, withContainers })}</p>}
      >
        {isOther ? (
          <p>The node has had another catalog since that run: what waited for what is taken from the present one.</p>
        ) : null}
        <Picture graph={graph} statuses={statuses} addressOf={addressOf} />
        {graph.leftOut === 0 ? null : (
          <p>
            Shown are the {graph.nodes.length.toLocaleString()} nearest resources; {graph.leftOut.toLocaleString()} more
            are left out.
          </p>
        )}
        <ResourceList graph={graph} statuses={statuses} addressOf={addressOf} />
      </Panel>
    </>
  );
}

/** Whether the stored catalog of a node is not the one that a run applied. */
function useIsOtherCatalog(certname: string, report: string): boolean {
  const run = useQuery<{ readonly catalog_uuid: string | null }>(
    report === ""
      ? undefined
      : {
          name: "The catalog of the run",
          pql: query("reports", { select: ["catalog_uuid"], where: `hash = ${literal(report)}` }),
        },
  );
  const stored = useQuery<{ readonly catalog_uuid: string | null }>(
    report === ""
      ? undefined
      : {
          name: "The catalog of the node",
          pql: query("catalogs", { select: ["catalog_uuid"], where: ofNode(certname, { isInactive: true }) }),
        },
  );
  if (run.value === undefined || stored.value === undefined) return false;
  const uuid = run.value[0]?.catalog_uuid ?? undefined;
  return uuid === undefined || uuid !== stored.value[0]?.catalog_uuid;
}

function nothing({ report, withContainers }: { readonly report: string; readonly withContainers: boolean }): string {
  if (report !== "") return "Nothing was skipped because of it, as far as the catalog of the node says.";
  if (withContainers) return "The catalog of the node has no edge of this resource.";
  return "Nothing comes directly before or after it. What contains it may have dependencies.";
}

const worst = ["failure", "skipped", "noop", "success"];

function worstStatuses(events: readonly EventRow[]): ReadonlyMap<string, string> {
  const statuses = new Map<string, string>();
  for (const { resource_type: type, resource_title: title, status } of events) {
    const name = refText({ type, title });
    const before = statuses.get(name);
    if (before === undefined || worst.indexOf(status) < worst.indexOf(before)) statuses.set(name, status);
  }
  return statuses;
}
