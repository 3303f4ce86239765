import type { JsonObject } from "#storage/json.ts";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { href } from "../address/address.ts";
import { useQuery } from "../data/use-query.ts";
import { Loading, Problem } from "../frame/panel.tsx";
import { Icon } from "../icons/icon.tsx";
import { and, literal, query } from "../pql/text.ts";
import { EventStatus } from "../report/event-status.tsx";
import { Tree } from "../tree/tree.tsx";
import { Place } from "../value/resource-link.tsx";
import { Text } from "../value/value.tsx";
import { type CatalogResource, containers, containment, type EdgeRow, resourceName } from "./catalog-rows.ts";
import { useHeightProperty } from "../frame/page.tsx";

export interface ResourcePaneProps {
  readonly resource: CatalogResource;
  readonly edges: readonly EdgeRow[];
  readonly certname: string;
  /** The node. */
  readonly where: string;
  /** Shows another resource by name, or none. */
  readonly onOpen: (name: string | undefined) => void;
}

/** One resource of a catalog: parameters, containment, what it depends on and what depends on it. */
export function ResourcePane({ resource, edges, certname, where, onOpen }: ResourcePaneProps): JSX.Element {
  const { type, title, name, tags } = resource;
  const pane = useRef<HTMLElement>(null);
  useHeightProperty(pane);
  const loaded = useQuery<{ readonly parameters: JsonObject }>({
    name: `Parameters of ${type}`,
    pql: query("resources", {
      select: ["parameters"],
      where: and(where, `type = ${literal(type)}`, `title = ${literal(title)}`),
    }),
  });
  const parameters = loaded.value?.[0]?.parameters;
  const chain = containment(name, containers(edges));
  const others = edges.filter(({ relationship }) => relationship !== "contains");
  const into = others.filter((edge) => resourceName(edge.target_type, edge.target_title) === name);
  const from = others.filter((edge) => resourceName(edge.source_type, edge.source_title) === name);
  const contained = edges.filter(
    (edge) => edge.relationship === "contains" && resourceName(edge.source_type, edge.source_title) === name,
  );
  return (
    <section ref={pane} class="resource-pane sticks" aria-label="Details of the resource">
      <header>
        <h2>
          {type}[<Text text={title} />]
        </h2>
        <button type="button" class="tool" aria-label="Close the details" onClick={() => onOpen(undefined)}>
          <Icon name="close" />
        </button>
      </header>
      <p>
        {resource.status === undefined ? null : (
          <>
            <EventStatus status={resource.status} isCorrective={false} /> in the last run ·{" "}
          </>
        )}
        <a href={href("resource", [], { type, title })}>On all nodes</a>
        {edges.length === 0 ? null : (
          <>
            {" · "}
            <a href={href("graph", [certname], { res: name })}>Dependencies as a graph</a>
          </>
        )}
        {resource.exported ? <span class="badge">exported</span> : null}
      </p>
      <p>
        <Place file={resource.file} line={resource.line} />
      </p>
      <h3>Parameters</h3>
      {loaded.error === undefined ? null : <Problem loaded={loaded} />}
      {parameters === undefined && loaded.error === undefined ? <Loading loaded={loaded} height={60} /> : null}
      {parameters === undefined ? null : Object.keys(parameters).length === 0 ? (
        <p class="muted">none</p>
      ) : (
        <Tree label="Parameters" value={parameters} />
      )}
      {chain.length === 0 ? null : (
        <>
          <h3>Contained in</h3>
          <p class="wrap">
            {chain.map((edge, at) => (
              <span key={resourceName(edge.source_type, edge.source_title)}>
                {at === 0 ? null : " › "}
                <Other type={edge.source_type} title={edge.source_title} onOpen={onOpen} />
              </span>
            ))}
          </p>
        </>
      )}
      <Edges title="Before it" edges={into} end="source" onOpen={onOpen} />
      <Edges title="After it" edges={from} end="target" onOpen={onOpen} />
      <Edges title="Contains" edges={contained} end="target" onOpen={onOpen} />
      {tags.length === 0 ? null : (
        <>
          <h3>Tags</h3>
          <p class="wrap">
            <Text text={tags.join(", ")} />
          </p>
        </>
      )}
    </section>
  );
}

interface EdgesProps {
  readonly title: string;
  readonly edges: readonly EdgeRow[];
  /** Which end is the other resource. */
  readonly end: "source" | "target";
  readonly onOpen: (name: string) => void;
}

/** Edges shown; a class may contain thousands. */
const MOST = 200;

function Edges({ title, edges, end, onOpen }: EdgesProps): JSX.Element | null {
  if (edges.length === 0) return null;
  return (
    <>
      <h3>
        {title} ({edges.length.toLocaleString()})
      </h3>
      <ul>
        {edges.slice(0, MOST).map((edge) => {
          const [type, other] =
            end === "source" ? [edge.source_type, edge.source_title] : [edge.target_type, edge.target_title];
          return (
            <li key={`${edge.relationship} ${resourceName(type, other)}`} class="wrap">
              <Other type={type} title={other} onOpen={onOpen} />
              {edge.relationship === "contains" ? null : <span class="muted"> {edge.relationship}</span>}
            </li>
          );
        })}
      </ul>
      {edges.length > MOST ? <p class="muted">The first {MOST} are shown.</p> : null}
    </>
  );
}

function Other({
  type,
  title,
  onOpen,
}: {
  readonly type: string;
  readonly title: string;
  readonly onOpen: (name: string) => void;
}): JSX.Element {
  return (
    <button type="button" class="plain wrap" onClick={() => onOpen(resourceName(type, title))}>
      {type}[<Text text={title} limit={200} />]
    </button>
  );
}
