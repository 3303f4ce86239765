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
import { type FactKind, highestFirst, numbersOf, type Outlier, type ValueCount } from "./distribution.ts";
import { shareText } from "../charts/axis.ts";
import { Panel } from "../frame/panel.tsx";
import { useFew } from "../list/growing.tsx";
import { type SmallColumn, SmallTable } from "../list/small-table.tsx";

interface OutliersProps {
  readonly path: FactPath;
  readonly outliers: readonly Outlier[];
  /** Nodes that have the fact. */
  readonly total: number;
  readonly hrefOf: (value: Json) => string;
}

/** Rows before "more". */
const FEW_OUTLIERS = 10;

const reasons: Readonly<Record<Outlier["why"], string>> = {
  rare: "less than 1 % of the nodes",
  low: "far below the others",
  high: "far above the others",
};

const outlierColumns = (name: string, { total, hrefOf }: OutliersProps): readonly SmallColumn<Outlier>[] => [
  [
    "Value",
    ({ value }) => (
      <a href={hrefOf(value)}>
        <Value value={value} name={name} limit={200} />
      </a>
    ),
  ],
  ["Nodes", ({ count }) => count.toLocaleString(), "number"],
  ["Why", ({ count, why }) => reasons[why] + (why === "rare" ? ` (${shareText(count, total)})` : ""), "muted"],
];

/** Unusual values, and the nodes that have them. */
export function Outliers(props: OutliersProps): JSX.Element {
  const { path, outliers } = props;
  const { shown, more } = useFew(outliers, FEW_OUTLIERS, "outliers");
  const name = path.findLast((part) => typeof part === "string") ?? "";
  return (
    <Panel title={`Outliers: ${outliers.length.toLocaleString()}`}>
      <SmallTable rows={shown} keyOf={({ value }) => stringifyJson(value)} columns={outlierColumns(name, props)} />
      {more}
    </Panel>
  );
}

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
  const ordered = order === "value" ? highestFirst(values) : values.toSorted((one, other) => other.count - one.count);
  const { shown, more: button } = useFew(ordered, FEW, "values");
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
      {button}
    </>
  );
}
