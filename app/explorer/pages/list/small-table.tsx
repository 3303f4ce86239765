import type { ComponentChildren, JSX } from "preact";

/** A column of a small table: its heading, what a row has in it, and the class of that; numbers are at the end. */
export type SmallColumn<Row> = readonly [
  title: ComponentChildren,
  cell: (row: Row) => ComponentChildren,
  className?: string,
];

export interface SmallTableProps<Row> {
  /** For screen readers: "Dead letters". */
  readonly label?: string;
  readonly caption?: ComponentChildren;
  readonly class?: string;
  readonly columns: readonly SmallColumn<Row>[];
  readonly rows: readonly Row[];
  /** Identifies a row; default: its place. */
  readonly keyOf?: (row: Row) => string;
  /** The column that names the row; default: the first; -1: none. */
  readonly head?: number;
}

/** A table of a few rows, all of which are rendered. Without titles it has no head. */
export function SmallTable<Row>(props: SmallTableProps<Row>): JSX.Element {
  const { label, caption, columns, rows, keyOf, head = 0 } = props;
  return (
    <table class={props.class} aria-label={label}>
      {caption === undefined ? null : <caption>{caption}</caption>}
      {columns.every(([title]) => title === "") ? null : (
        <thead>
          <tr>
            {columns.map(([title, , className], at) => (
              // Columns have no identity but their place.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <th key={at} scope="col" class={className?.includes("number") === true ? "number" : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf?.(row) ?? index}>
            {columns.map(([, cell, className], at) => {
              const Cell = at === head ? "th" : "td";
              return (
                // oxlint-disable-next-line react/no-array-index-key -- columns have no identity but their place
                <Cell key={at} scope={at === head ? "row" : undefined} class={className}>
                  {cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
