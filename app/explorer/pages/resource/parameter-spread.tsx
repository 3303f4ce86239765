import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isNumber, isObject, type Json, stringifyJson } from "#storage/json.ts";
import { Bars } from "../charts/bars.tsx";
import type { Facets } from "#storage/query/facets/answer.ts";
import type { Loaded } from "../data/use-data.ts";
import { chooseOnly, type Filter, type FilterValue } from "../facets/filters.ts";
import { Panel } from "../frame/panel.tsx";
import { field, workbenchHref } from "../pql/text.ts";
import { beginning, compactJson, counted, type ResourceRef } from "../value/text.ts";
import { marked, ShowAll, Value } from "../value/value.tsx";
import type { Spread, Spreads } from "./spread.ts";

export interface ParameterSpreadProps {
  readonly resource: ResourceRef;
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
  resource,
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
              <Structured value={value} href={structuredHref(resource, parameter, value)} />
            ),
          })),
          ...rest,
        ]}
      />
    </section>
  );
}

/** The nodes on which a parameter is a list or a map: PQL cannot write these, the AST can. */
function structuredHref({ type, title }: ResourceRef, parameter: string, value: Json): string {
  const conditions = [
    ["=", "type", type],
    ["=", "title", title],
    ["=", ["parameter", parameter], value],
  ];
  const ast = ["from", "resources", ["extract", ["certname", "parameters"], ["and", ...conditions]]];
  return workbenchHref(stringifyJson(ast), { lang: "ast" });
}

/** A list or a map in one line that leads to its nodes, all of it when one wants to see it. */
function Structured({ value, href }: { readonly value: Json; readonly href: string }): JSX.Element {
  const [isWhole, setIsWhole] = useState(false);
  const text = compactJson(value);
  const shown = isWhole ? text : beginning(text, SHOWN);
  return (
    <>
      <a class="mono wrap" href={href}>
        <bdi>{marked(shown)}</bdi>
      </a>
      {shown.length === text.length ? null : <ShowAll length={text.length} onClick={() => setIsWhole(true)} />}
    </>
  );
}

/** Characters of a list or a map before the rest. */
const SHOWN = 80;

/** Whether PQL can compare with a value. */
function isFilterValue(value: Json): value is FilterValue {
  return !isObject(value) && (isNumber(value) || !Array.isArray(value));
}
