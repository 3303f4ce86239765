import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { about } from "../data/about.ts";
import { Panel } from "../frame/panel.tsx";
import { StateMark } from "../state/state-mark.tsx";
import { Text } from "../value/value.tsx";
import { statesInOrder } from "./state-bar.tsx";
import { useFacets } from "../data/use-query.ts";

/** How many nodes of each environment are in each state. */
export function Environments(): JSX.Element | null {
  const several = (about.value?.environments.length ?? 0) > 1;
  const loaded = useFacets(
    several
      ? {
          name: "States by environment",
          entity: "nodes",
          where: "report_environment is not null",
          facets: [["report_environment", "state"]],
          limit: 1000,
        }
      : undefined,
  );
  if (!several) return null;
  const counts = new Map<string, Map<string, number>>();
  for (const { value, count } of loaded.value?.facets[0]?.values ?? []) {
    const [environment, state] = Array.isArray(value) ? value.map(String) : [];
    if (environment === undefined || state === undefined) continue;
    const states = counts.get(environment) ?? new Map<string, number>();
    states.set(state, count);
    counts.set(environment, states);
  }
  const used = statesInOrder.filter((key) => [...counts.values()].some((states) => states.has(key)));
  return (
    <Panel title="Environments" loaded={loaded} height={140}>
      <div class="scroll-x">
        <table class="wide environment-counts">
          <thead>
            <tr>
              <th scope="col">Environment</th>
              {used.map((key) => (
                <th key={key} scope="col" class="number">
                  <StateMark state={key} label={false} />
                </th>
              ))}
              <th scope="col" class="number">
                Nodes
              </th>
            </tr>
          </thead>
          <tbody>
            {[...counts].map(([environment, states]) => (
              <tr key={environment}>
                <th scope="row" class="wrap">
                  <a href={href("overview", [], { env: environment })}>
                    <Text text={environment} />
                  </a>
                </th>
                {used.map((key) => (
                  <td key={key} class="number">
                    {states.has(key) ? (
                      <a href={href("nodes", [], { env: environment, f: `state=${JSON.stringify(key)}` })}>
                        {states.get(key)?.toLocaleString()}
                      </a>
                    ) : (
                      <span class="muted">–</span>
                    )}
                  </td>
                ))}
                <td class="number">{[...states.values()].reduce((sum, count) => sum + count, 0).toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
