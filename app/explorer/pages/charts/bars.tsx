import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { type SeriesToken, shareText } from "./axis.ts";
import { fillOf, SeriesPatterns } from "./patterns.tsx";

export interface BarRow {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly count: number;
  /** Where the row leads. */
  readonly href?: string | undefined;
  readonly token?: SeriesToken;
  /** After the share. */
  readonly beside?: ComponentChildren;
}

export interface BarsProps {
  /** What is counted by what: "Nodes by value". */
  readonly label: string;
  /** Heading of the labels, for screen readers: "value". */
  readonly of: string;
  /** What is counted: "nodes". */
  readonly noun: string;
  readonly rows: readonly BarRow[];
  /** What shares are of; default: the sum of all rows. */
  readonly total?: number;
}

/** Counts as horizontal bars, each with label, number and share: a table that is also a chart. */
export function Bars({ label, of, noun, rows, total }: BarsProps): JSX.Element {
  const id = useId();
  const all = total ?? rows.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const series = rows.map(({ key, token = "value" }) => ({ key, label: "", token }));
  return (
    <table class="bars" aria-label={label}>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{of}</th>
          <th scope="col">{noun}</th>
          <th scope="col">share</th>
          <th scope="col">bar</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label: text, count, href, token = "value", beside }, index) => (
          <tr key={key}>
            <th scope="row" class="bars-label">
              {href === undefined ? text : <a href={href}>{text}</a>}
            </th>
            <td class="number">{count.toLocaleString()}</td>
            <td class="number muted">{shareText(count, all)}</td>
            <td class="bars-bar">
              <svg width="100%" height="12" aria-hidden="true">
                {index === 0 ? <SeriesPatterns id={id} series={series} /> : null}
                <rect
                  class={`series-${token}`}
                  width={`${(100 * count) / most}%`}
                  height="12"
                  rx="1"
                  fill={fillOf(id, token)}
                />
              </svg>
              {beside}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
