import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Json } from "#storage/json.ts";
import { Bars } from "../charts/bars.tsx";
import { Histogram } from "../charts/histogram.tsx";
import { Line } from "../charts/line.tsx";
import { valueTokens } from "../charts/axis.ts";
import { Value } from "../value/value.tsx";
import {
  type ChartChoice,
  type ChartKind,
  barsOf,
  chartKinds,
  choiceFor,
  countedOf,
  pointsOf,
} from "./chart-choice.ts";
import type { Result } from "./runs.ts";

/** Bars that are shown; the others are summed up. */
const MOST_BARS = 40;

/** A result as a chart: the one that fits its columns, or another one. */
export function ResultChart({ result }: { readonly result: Result }): JSX.Element {
  const { columns } = result;
  const fitting = choiceFor(columns);
  const [chosen, setChosen] = useState<ChartChoice | undefined>(undefined);
  const names = columns.map(({ name }) => name);
  // A choice whose columns are gone was made for another result.
  const isUsable = chosen !== undefined && [...chosen.by, ...chosen.values].every((name) => names.includes(name));
  const choice = isUsable ? chosen : fitting;
  if (choice === undefined) return <p>There is nothing to draw: the result has no columns.</p>;
  const numbers = columns.filter(({ kind }) => kind === "number").map(({ name }) => name);
  const withKind = (kind: ChartKind): ChartChoice => ({
    kind,
    by: kind === "histogram" ? [] : choice.by.length > 0 ? choice.by : names.slice(0, 1),
    values: choice.values.length > 0 ? choice.values : numbers.slice(0, 1),
  });
  return (
    <div>
      <div class="query-chart-choice">
        <label>
          Chart{" "}
          <select value={choice.kind} onChange={(event) => setChosen(withKind(event.currentTarget.value as ChartKind))}>
            {chartKinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        {choice.kind === "histogram" ? null : (
          <label>
            by{" "}
            <select
              value={choice.by.join("\n")}
              onChange={(event) => setChosen({ ...choice, by: event.currentTarget.value.split("\n") })}
            >
              {choice.by.length > 1 ? <option value={choice.by.join("\n")}>{choice.by.join(", ")}</option> : null}
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          of{" "}
          <select
            value={choice.values.join("\n")}
            onChange={({ currentTarget: { value } }) =>
              setChosen({ ...choice, values: value === "" ? [] : value.split("\n") })
            }
          >
            {choice.kind === "bars" ? <option value="">number of rows</option> : null}
            {choice.values.length > 1 ? (
              <option value={choice.values.join("\n")}>{choice.values.join(", ")}</option>
            ) : null}
            {numbers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {result.isCut ? <span class="muted">of the first {result.rows.length.toLocaleString()} rows</span> : null}
      </div>
      <Chart result={result} choice={choice} />
    </div>
  );
}

export interface ChartProps {
  readonly result: Pick<Result, "rows" | "columns">;
  readonly choice: ChartChoice;
}

/** A chart of rows. */
export function Chart({ result: { rows, columns }, choice }: ChartProps): JSX.Element {
  const [value] = choice.values;
  if (choice.kind === "bars") {
    const bars = barsOf(rows, choice);
    const rest = bars.slice(MOST_BARS);
    const noun = value ?? "rows";
    return (
      <Bars
        label={`${noun} by ${choice.by.join(", ")}`}
        of={choice.by.join(", ")}
        noun={noun}
        total={bars.reduce((sum, bar) => sum + bar.sum, 0)}
        rows={[
          ...bars
            .slice(0, MOST_BARS)
            .map(({ key, names, sum }) => ({ key, label: <Names names={names} />, count: sum })),
          ...(rest.length === 0
            ? []
            : [
                {
                  key: "others",
                  label: `${rest.length.toLocaleString()} others`,
                  count: rest.reduce((sum, bar) => sum + bar.sum, 0),
                  token: "value-4" as const,
                },
              ]),
        ]}
      />
    );
  }
  if (value === undefined) return <p>This chart needs a column of numbers.</p>;
  if (choice.kind === "histogram") {
    return <Histogram label={`Rows by ${value}`} noun="rows" values={countedOf(rows, value)} />;
  }
  const isTime = columns.some(({ name, kind }) => name === choice.by[0] && kind === "time");
  return (
    <Line
      label={`${choice.values.join(", ")} by ${choice.by.join(", ")}`}
      x={isTime ? "time" : "number"}
      points={pointsOf(rows, choice)}
      series={choice.values.map((name, index) => ({
        key: name,
        label: name,
        token: valueTokens[index] ?? "value",
      }))}
      height={260}
    />
  );
}

function Names({ names }: { readonly names: readonly Json[] }): JSX.Element {
  return (
    <>
      {names.map((name, index) => (
        // Names have no identity but their column.
        // oxlint-disable-next-line react/no-array-index-key -- see above
        <span key={index}>
          {index === 0 ? "" : " · "}
          <Value value={name} limit={120} />
        </span>
      ))}
    </>
  );
}
