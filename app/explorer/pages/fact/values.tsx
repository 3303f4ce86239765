import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Json, stringifyJson } from "#storage/json.ts";
import { go } from "../address/address.ts";
import { Bars } from "../charts/bars.tsx";
import { compactNumber } from "../charts/axis-chart.tsx";
import { Histogram } from "../charts/histogram.tsx";
import type { FactPath } from "../pql/fact-path.ts";
import { humanForm } from "../value/text.ts";
import { Value } from "../value/value.tsx";
import { type FactKind, highestFirst, numbersOf, type ValueCount } from "./distribution.ts";

/** Only of numbers. */
export interface FactValuesProps {
  readonly path: FactPath;
  readonly kind: FactKind;
  /** The commonest first; of numbers all, of others 1,000 at most. */
  readonly values: readonly ValueCount[];
  /** Number of different values. */
  readonly distinct: number;
  /** Nodes that have the fact. */
  readonly total: number;
  /** Where the nodes with a value are listed. */
  readonly hrefOf: (value: Json) => string;
  /** Where the nodes with numbers of a range are listed; undefined for paths that PQL has no field for. */
  readonly rangeHref: ((from: number, to: number, withEnd: boolean) => string) | undefined;
}

type Order = "count" | "value";

/** Bars before "more". */
const FEW = 20;
/** Numbers with more different values have a histogram. */
const FEW_NUMBERS = 12;

/** How often which value occurs: bars, for many numbers a histogram. */
export function FactValues(props: FactValuesProps): JSX.Element {
  const { path, kind, values, distinct, total, rangeHref } = props;
  const name = path.findLast((part) => typeof part === "string") ?? "";
  const [isHistogram, setIsHistogram] = useState(kind === "numbers" && distinct > FEW_NUMBERS);
  return (
    <>
      {kind === "numbers" && distinct > 1 ? (
        <div class="fact-switch" role="group" aria-label="Show">
          <button type="button" aria-pressed={isHistogram} onClick={() => setIsHistogram(true)}>
            Histogram
          </button>
          <button type="button" aria-pressed={!isHistogram} onClick={() => setIsHistogram(false)}>
            Values
          </button>
        </div>
      ) : null}
      {isHistogram ? (
        <Histogram
          label={`Nodes by ${name}`}
          noun="nodes"
          values={numbersOf(values)}
          unit={byteUnit(name, values)}
          format={(value) => humanForm(name, value)?.replace(".0 ", " ") ?? compactNumber(value)}
          onRange={rangeHref === undefined ? undefined : (...range) => go(rangeHref(...range))}
        />
      ) : (
        <ValueBars {...props} name={name} />
      )}
      {distinct === total && total > 1 ? <p class="muted">Every node has a value of its own.</p> : null}
    </>
  );
}

/** Numbers of bytes have round values in a power of 1024. */
function byteUnit(name: string, values: readonly ValueCount[]): number {
  if (!/bytes$/i.test(name)) return 1;
  const highest = Math.max(1, ...numbersOf(values).map(({ value }) => Math.abs(value)));
  return 1024 ** Math.floor(Math.log2(highest) / 10);
}

function ValueBars({
  kind,
  values,
  distinct,
  total,
  hrefOf,
  name,
}: FactValuesProps & { readonly name: string }): JSX.Element {
  const [order, setOrder] = useState<Order>(kind === "versions" ? "value" : "count");
  const [isLong, setIsLong] = useState(false);
  const ordered = order === "value" ? highestFirst(values) : values.toSorted((one, other) => other.count - one.count);
  const shown = isLong ? ordered : ordered.slice(0, FEW);
  const rest = total - shown.reduce((sum, { count }) => sum + count, 0);
  const more = distinct - shown.length;
  return (
    <>
      {values.length < 2 || kind === "values" ? null : (
        <div class="fact-switch" role="group" aria-label="Order">
          <button type="button" aria-pressed={order === "count"} onClick={() => setOrder("count")}>
            Commonest first
          </button>
          <button type="button" aria-pressed={order === "value"} onClick={() => setOrder("value")}>
            Highest first
          </button>
        </div>
      )}
      <Bars
        label="Nodes by value"
        of="value"
        noun="nodes"
        total={total}
        rows={[
          ...shown.map(({ value, count }) => ({
            key: stringifyJson(value),
            label: <Value value={value} name={name} limit={200} />,
            count,
            href: hrefOf(value),
          })),
          ...(more > 0
            ? [
                {
                  key: "others",
                  label: `${more.toLocaleString()} other values`,
                  count: rest,
                  token: "value-4" as const,
                },
              ]
            : []),
        ]}
      />
      {ordered.length > FEW ? (
        <button type="button" class="plain" onClick={() => setIsLong(!isLong)}>
          {isLong ? "Show fewer" : `Show ${ordered.length.toLocaleString()} values`}
        </button>
      ) : null}
    </>
  );
}
