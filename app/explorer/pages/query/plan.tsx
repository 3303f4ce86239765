import type { JSX } from "preact";
import type { Json } from "#storage/json.ts";
import { useData } from "../data/use-data.ts";
import { Loading, Problem } from "../frame/waiting.tsx";
import { planSteps } from "./plan.ts";

/** What each step of the query takes. The query is run for that. */
export function PlanView({ query }: { readonly query: string }): JSX.Element {
  const loaded = useData<Json>({
    name: "Plan of the query",
    path: "/pdb/query/v4",
    parameters: { query, explain: "analyze" },
  });
  const { value, error } = loaded;
  if (error !== undefined) return <Problem loaded={loaded} />;
  if (value === undefined) return <Loading loaded={loaded} height={120} />;
  const steps = planSteps(value);
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  if (steps.length === 0) return <p>The answer has no plan.</p>;
  return (
    <div class="scroll-x">
      <table class="plan">
        <caption class="muted">{total.toFixed(1)} ms of work in all threads; each step reads those below it</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" class="number">
              Rows
            </th>
            <th scope="col" class="number">
              ms
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ depth, operator, of, rows, ms }, index) => (
            // Steps have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            <tr key={index}>
              <th scope="row" style={{ paddingInlineStart: `${depth * 10}px` }} title={of}>
                {operator}
                {of === "" ? null : <div class="muted plan-of">{of.slice(0, 160)}</div>}
              </th>
              <td class="number">{rows.toLocaleString()}</td>
              <td class="number">{ms.toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
