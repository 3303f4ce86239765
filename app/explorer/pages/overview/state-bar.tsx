import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { shareText } from "../charts/axis.ts";
import type { Facet } from "#storage/query/facets/answer.ts";
import { knownTimes } from "../data/as-of.ts";
import { Panel } from "../frame/panel.tsx";
import { inEnvironment } from "../pql/text.ts";
import { StateMark } from "../state/state-mark.tsx";
import { type StateKey, stateKeys, states } from "../state/states.ts";
import { now } from "../time/format.ts";
import { type FacetsRequest, useFacets } from "../data/use-query.ts";

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
  return useFacets(request(environment));
}

/** The same a day ago; nothing where no changes are recorded for as long. */
function useEarlierCounts(environment: string | undefined): ReturnType<typeof useFacets> {
  const earliest = knownTimes.value?.earliest;
  // To the hour, so that the answer does not change with every look.
  const asOf = new Date(Math.floor((now.value.getTime() - DAY) / HOUR) * HOUR);
  const isKnown = earliest !== undefined && Date.parse(earliest) <= asOf.getTime();
  return useFacets(isKnown ? { ...request(environment), name: "Nodes by state a day ago", asOf } : undefined);
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function request(environment: string | undefined): FacetsRequest {
  return {
    name: "Nodes by state",
    entity: "nodes",
    where: inEnvironment("nodes", environment),
    facets: [["state"]],
    limit: stateKeys.length,
  };
}

/** States that need somebody, as large figures with their change. */
const urgent: readonly StateKey[] = ["failed", "hidden", "silent"];

/** How many nodes are in each state: what needs somebody large, the others small, and all as one bar. */
export function StateBar({ environment }: { readonly environment: string | undefined }): JSX.Element {
  const loaded = useStateCounts(environment);
  const counts = stateCounts(loaded.value?.facets[0]);
  const total = loaded.value?.total ?? 0;
  const before = useEarlierCounts(environment).value?.facets[0];
  const earlier = before === undefined ? undefined : stateCounts(before);
  return (
    <Panel title="Nodes by state" loaded={loaded} height={132} class="state-panel">
      <ul class="state-counts">
        {[...urgent, ...statesInOrder.filter((key) => !urgent.includes(key))].map((key) => {
          const count = counts.get(key) ?? 0;
          return (
            <li key={key} class={urgent.includes(key) ? "urgent" : undefined}>
              <a
                href={href("nodes", [], { f: `state=${JSON.stringify(key)}` })}
                class={count === 0 ? "state-count none" : `state-count state-${key}`}
                title={states.find((state) => state.key === key)?.meaning}
              >
                <strong>{count.toLocaleString()}</strong>
                <StateMark state={key} />
                <span class="muted">
                  {urgent.includes(key) && earlier !== undefined ? (
                    <Change by={count - (earlier.get(key) ?? 0)} />
                  ) : count === 0 ? (
                    ""
                  ) : (
                    shareText(count, total)
                  )}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      <div class="state-bar" aria-hidden="true">
        {statesInOrder.map((key) => {
          const count = counts.get(key) ?? 0;
          return count === 0 ? null : (
            <span key={key} class={`state-segment series-${key}`} style={{ flexGrow: String(count) }} />
          );
        })}
      </div>
    </Panel>
  );
}

/** How much a figure has changed since yesterday. */
function Change({ by }: { readonly by: number }): JSX.Element {
  if (by === 0) return <>as yesterday</>;
  const text = `${by > 0 ? "+" : "−"}${Math.abs(by).toLocaleString()} since yesterday`;
  return by > 0 ? <b>{text}</b> : <>{text}</>;
}
