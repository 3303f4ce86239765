import type { JSX } from "preact";
import { isNumber, isObject, type Json } from "#storage/json.ts";
import { Bars } from "../charts/bars.tsx";
import type { Facets } from "#storage/query/facets/answer.ts";
import type { Loaded } from "../data/use-data.ts";
import { chooseOnly, type Filter, type FilterValue } from "../facets/filters.ts";
import { Panel } from "../frame/panel.tsx";
import { field } from "../pql/text.ts";
import { compactJson, counted } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";
import type { Spread, Spreads } from "./spread.ts";

export interface ParameterSpreadProps {
  readonly loaded: Loaded<Facets>;
  readonly spreads: Spreads;
  /** Nodes with the resource. */
  readonly total: number;
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  /** The resource has no parameters on any node. */
  readonly hasNone: boolean;
}

/** The values of each parameter with the number of nodes; parameters that are the same everywhere in one list. */
export function ParameterSpread(props: ParameterSpreadProps): JSX.Element {
  const { loaded, spreads, hasNone } = props;
  const { same, different } = spreads;
  return (
    <Panel
      title="Parameters"
      {...(hasNone ? {} : { loaded })}
      height={80}
      empty={hasNone ? <p class="muted">It has no parameters.</p> : undefined}
    >
      <div class="spreads">
        {different.map((spread) => (
          <OneSpread key={spread.parameter} spread={spread} {...props} />
        ))}
      </div>
      {same.length === 0 ? null : (
        <table class="same-values">
          <caption>{different.length === 0 ? "The same everywhere" : "The others are the same everywhere"}</caption>
          <tbody>
            {same.map(({ parameter, values }) => (
              <tr key={parameter}>
                <th scope="row">
                  <bdi class="wrap">{marked(parameter)}</bdi>
                </th>
                <td>
                  <Value value={values[0]?.value} name={parameter} limit={300} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function OneSpread({
  spread,
  total,
  filters,
  onFilters,
}: ParameterSpreadProps & { readonly spread: Spread }): JSX.Element {
  const { parameter, values, others, missing, distinct } = spread;
  const name = field(["parameters", parameter]);
  const rest = [
    { key: "others", label: <span class="muted">other values</span>, count: others },
    { key: "missing", label: <span class="muted">not set</span>, count: missing },
  ].filter(({ count }) => count > 0);
  return (
    <section class="spread">
      <h3>
        <bdi>{marked(parameter)}</bdi> <span class="muted">{counted(distinct, "value")}</span>
      </h3>
      <Bars
        label={`Nodes by value of ${parameter}`}
        of="value"
        noun="nodes"
        total={total}
        rows={[
          ...values.map(({ value, count }) => ({
            key: compactJson(value),
            count,
            label: isFilterValue(value) ? (
              <button
                type="button"
                class="plain spread-value"
                title="Show only nodes with this value"
                onClick={() => onFilters(chooseOnly(filters, name, value))}
              >
                <Value value={value} name={parameter} limit={80} />
              </button>
            ) : (
              <Value value={value} limit={80} />
            ),
          })),
          ...rest,
        ]}
      />
    </section>
  );
}

/** Whether a query can compare with a value. */
function isFilterValue(value: Json): value is FilterValue {
  return !isObject(value) && (isNumber(value) || !Array.isArray(value));
}
