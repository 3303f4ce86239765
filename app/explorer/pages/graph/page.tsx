import type { JSX } from "preact";
import { useRoute } from "preact-iso";
import { useMemo } from "preact/hooks";
import { href, useParameter } from "../address/address.ts";
import { flag, oneOf, text } from "../address/codecs.ts";
import { useQuery } from "../data/use-query.ts";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { and, literal, query } from "../pql/text.ts";
import { ofNode } from "../node/use-node.ts";
import type { CatalogEdge } from "../report/rows.ts";
import { SkipChains } from "../report/skip-chains.ts";
import { beginning, parseRef, refText, visibleText } from "../value/text.ts";
import { type Graph, neighbourhood, skipTree } from "./graph.ts";
import { Picture } from "./picture.tsx";
import { ResourceList } from "./resource-list.tsx";

const textCodec = text();
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
  const { certname = "" } = useRoute().params;
  const [name] = useParameter("res", textCodec);
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
  const [report] = useParameter("report", textCodec);
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
