import { eventStates, stateLabels } from "#storage/states/words.ts";
import type { JSX } from "preact";
import { StateShape } from "../state/state-mark.tsx";
import { beginning } from "../value/text.ts";
import { marked } from "../value/value.tsx";
import type { Graph, GraphNode } from "./graph.ts";
import { graphColumns } from "./layout.ts";
import type { PictureProps } from "./picture.tsx";

/** Longer names are cut: the page of the resource has all. Characters. */
const SHOWN = 200;
/** Edges that are listed of a resource. */
const MOST_EDGES = 5;

/** The same as the picture, in words: the resources by their distance, each with its edges. */
export function ResourceList({ graph, statuses, addressOf }: PictureProps): JSX.Element {
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
                    <bdi>{marked(beginning(node.name, SHOWN))}</bdi>
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
