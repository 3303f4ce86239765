import { useMemo } from "preact/hooks";
import { useText } from "../address/address.ts";
import { about } from "../data/about.ts";
import { now, type TimeRange, timeRange } from "./format.ts";

/** The time range of the address, by default the last 24 hours before the data's present time. */
export function useTimeRange(): TimeRange {
  const [last] = useText("last");
  const [from] = useText("from");
  const [to] = useText("to");
  const end = now.value;
  return useMemo(() => timeRange({ last, from, to }, end), [last, from, to, end.getTime()]);
}

const DAY = 86_400_000;
/** Days that are shown at most, where reports are kept for longer. */
const MOST_DAYS = 60;
/** Parts of fewer days, at most. */
const FEW_PARTS = 24;

/** The days of which reports are stored, and in how many parts they are shown: by day, unless there are few. */
export function useStoredDays(): { readonly range: TimeRange; readonly buckets: number } {
  const [oldest = ""] = about.value?.span.reports ?? [];
  const end = now.value;
  const stored = Math.ceil((end.getTime() - Date.parse(oldest)) / DAY);
  const days = Math.min(MOST_DAYS, Math.max(1, Number.isNaN(stored) ? 1 : stored));
  const range = useMemo(() => timeRange({ last: `${days}d`, from: "", to: "" }, end), [days, end.getTime()]);
  return { range, buckets: Math.max(FEW_PARTS, days) };
}
