import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

/** The numbers of a chart as a table; the first column names the row. */
export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface ChartFrameProps {
  /** What is shown: "Runs per 15 min". */
  readonly label: string;
  /** Above the chart: a legend, which also shows what is read. */
  readonly legend: ComponentChildren;
  readonly table: () => ChartTable;
  readonly children: ComponentChildren;
}

/** A chart with its legend and a switch that shows its numbers as a table instead. */
export function ChartFrame({ label, legend, table, children }: ChartFrameProps): JSX.Element {
  const [asTable, setAsTable] = useState(false);
  return (
    <figure class="chart" aria-label={label}>
      <div class="chart-head">
        <div class="chart-legend">{legend}</div>
        <button type="button" class="plain" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? "as chart" : "as table"}
        </button>
      </div>
      {asTable ? <NumbersTable label={label} {...table()} /> : children}
    </figure>
  );
}

function NumbersTable({ label, columns, rows }: ChartTable & { label: string }): JSX.Element {
  return (
    // Its own scroll bar has to be reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div class="chart-table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" class={index === 0 ? undefined : "number"}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                // Cells have no identity but their column.
                // oxlint-disable-next-line react/no-array-index-key -- see above
                <td key={index} class="number">
                  {typeof cell === "number" ? cell.toLocaleString() : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
