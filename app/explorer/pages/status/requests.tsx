import type { JSX } from "preact";
import { useData } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import type { ReadBeans } from "./use-beans.ts";

interface Timer {
  readonly Count: number;
  /** ms */
  readonly Mean: number;
  readonly "95thPercentile": number;
}

const SERVICE_TIME = /^puppetlabs\.puppetdb\.http:name=(?<path>.*)\.service-time$/;

/** The timers of all paths, with the attributes that are shown. */
const TIMERS = "/metrics/v2/read/puppetlabs.puppetdb.http:name=*.service-time/Count,Mean,95thPercentile";

/** Requests by path since the start: how many, and how long they took. */
export function Requests(): JSX.Element {
  const loaded = useData<ReadBeans<Timer>>({ name: "Requests by path", path: TIMERS });
  const rows = Object.entries(loaded.value?.value ?? {})
    .map(([name, timer]) => ({ path: pathOf(name), timer }))
    .filter(({ timer }) => timer.Count > 0)
    .sort((one, other) => other.timer.Count - one.timer.Count);
  return (
    <Panel title="Requests" loaded={loaded}>
      <div class="scroll-x">
        <table class="wide">
          <thead>
            <tr>
              <th scope="col">Path, with all below it</th>
              <th scope="col" class="number">
                Requests
              </th>
              <th scope="col" class="number">
                Mean
              </th>
              <th scope="col" class="number">
                95 %
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ path, timer }) => (
              <tr key={path}>
                <th scope="row" class="mono wrap">
                  {path}
                </th>
                <td class="number">{timer.Count.toLocaleString()}</td>
                <td class="number">{timer.Mean.toFixed(1)} ms</td>
                <td class="number">{timer["95thPercentile"].toFixed(1)} ms</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function pathOf(name: string): string {
  const path = SERVICE_TIME.exec(name)?.groups?.["path"] ?? name;
  return path.startsWith('"') ? path.slice(1, -1) : path;
}
