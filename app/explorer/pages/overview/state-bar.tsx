import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { shareText } from "../charts/axis.ts";
import type { Facet } from "#storage/query/facets/answer.ts";
import { useFacets } from "../data/use-facets.ts";
import { Panel } from "../frame/panel.tsx";
import { inEnvironment } from "../pql/text.ts";
import { StateMark } from "../state/state-mark.tsx";
import { type StateKey, stateKeys, states } from "../state/states.ts";
import "./state-bar.css";

/** States as bars and tables show them: the worst first, those that say nothing new last. */
export const statesInOrder: readonly StateKey[] = [
  "failed",
  "hidden",
  "corrective",
  "changed",
  "pending",
  "unchanged",
  "silent",
  "never",
];

/** The count of each state, 0 where it has none. */
export function stateCounts(facet: Facet | undefined): ReadonlyMap<StateKey, number> {
  const counts = new Map<StateKey, number>(stateKeys.map((key) => [key, 0]));
  for (const { value, count } of facet?.values ?? []) {
    const key = stateKeys.find((one) => one === value);
    if (key !== undefined) counts.set(key, count);
  }
  return counts;
}

/** The nodes of an environment by state. */
export function useStateCounts(environment: string | undefined): ReturnType<typeof useFacets> {
  return useFacets({
    name: "Nodes by state",
    entity: "nodes",
    where: inEnvironment("nodes", environment),
    facets: [["state"]],
    limit: stateKeys.length,
  });
}

/** How many nodes are in each state: one bar, and a link each. */
export function StateBar({ environment }: { readonly environment: string | undefined }): JSX.Element {
  const loaded = useStateCounts(environment);
  const counts = stateCounts(loaded.value?.facets[0]);
  const total = loaded.value?.total ?? 0;
  return (
    <Panel title="Nodes by state" loaded={loaded} height={76} class="state-panel">
      <div class="state-bar" aria-hidden="true">
        {statesInOrder.map((key) => {
          const count = counts.get(key) ?? 0;
          return count === 0 ? null : (
            <span key={key} class={`state-segment fill-${key}`} style={{ flexGrow: String(count) }} />
          );
        })}
      </div>
      <ul class="state-counts">
        {statesInOrder.map((key) => (
          <li key={key}>
            <a
              href={href("nodes", [], { f: `state=${JSON.stringify(key)}` })}
              class={counts.get(key) === 0 ? "state-count none" : "state-count"}
              title={states.find((state) => state.key === key)?.meaning}
            >
              <strong>{(counts.get(key) ?? 0).toLocaleString()}</strong>
              <StateMark state={key} />
              <span class="muted">{counts.get(key) === 0 ? "" : shareText(counts.get(key) ?? 0, total)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
