import type { JSX } from "preact";
import { changeParameters } from "../address/address.ts";
import { formatTime } from "../time/format.ts";
import { useTimeRange } from "../time/range.ts";
import { defaultSpan, offeredSpans, spanLabel } from "../time/span.ts";

/** The time range of the page. A range that was selected in a chart is a separate entry. */
export function TimeRangeMenu(): JSX.Element {
  const { last, from, to } = useTimeRange();
  const spans: readonly string[] = offeredSpans;
  return (
    <label class="header-field">
      <span class="visually-hidden">Time range</span>
      <select
        data-time-range
        value={last ?? "chosen"}
        onChange={({ currentTarget: { value } }) => {
          if (value !== "chosen")
            changeParameters({ last: value === defaultSpan ? undefined : value, from: undefined, to: undefined });
        }}
      >
        {last === undefined ? (
          <option value="chosen">
            {formatTime(from)} – {formatTime(to)}
          </option>
        ) : null}
        {last !== undefined && !spans.includes(last) ? <option value={last}>{spanLabel(last)}</option> : null}
        {offeredSpans.map((span) => (
          <option key={span} value={span}>
            {spanLabel(span)}
          </option>
        ))}
      </select>
    </label>
  );
}
