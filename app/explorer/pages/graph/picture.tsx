import { eventStates } from "#storage/states/words.ts";
import type { JSX } from "preact";
import { StateShape } from "../state/state-mark.tsx";
import { beginning, refText, visibleText } from "../value/text.ts";
import type { Graph } from "./graph.ts";
import { BOX, edgePath, graphLayout } from "./layout.ts";

export interface PictureProps {
  readonly graph: Graph;
  /** What the run did to resources, by their names. */
  readonly statuses: ReadonlyMap<string, string>;
  /** The address that shows another resource. */
  readonly addressOf: (name: string) => string;
}

/** Characters that fit into a box. */
const SHOWN = 60;

/** A graph as boxes and arrows. It is hidden from screen readers and the keyboard, which have the list beside it. */
export function Picture({ graph, statuses, addressOf }: PictureProps): JSX.Element {
  const { places, width, height } = graphLayout(graph);
  return (
    <div class="graph-picture" aria-hidden="true">
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
              <bdi>{visibleText(beginning(name, SHOWN))}</bdi>
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
