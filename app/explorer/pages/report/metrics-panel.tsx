import type { JSX } from "preact";
import type { Loaded } from "../data/use-data.ts";
import { marked, Value } from "../value/value.tsx";
import { Folded } from "./folded.tsx";
import type { Metric } from "./rows.ts";

/** Every number that the agent sent, by category. */
export function MetricsPanel({ metrics }: { readonly metrics: Loaded<readonly Metric[]> }): JSX.Element | null {
  const { value } = metrics;
  if (value === undefined || value.length === 0) return null;
  const categories = [...new Set(value.map(({ category }) => category))];
  return (
    <Folded part="metrics" title={`All metrics (${value.length.toLocaleString()})`}>
      <div class="report-metrics">
        {categories.map((category) => (
          <table key={category}>
            <caption>
              <bdi>{marked(category)}</bdi>
            </caption>
            <tbody>
              {value
                .filter((metric) => metric.category === category)
                .map((metric) => (
                  <tr key={metric.name}>
                    <th scope="row">
                      <Value value={metric.name} />
                    </th>
                    <td class="number">
                      <Value value={metric.value} />
                      {category === "time" ? " s" : ""}
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        ))}
      </div>
    </Folded>
  );
}
