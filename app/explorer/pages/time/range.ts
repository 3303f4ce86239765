import { useMemo } from "preact/hooks";
import { useText } from "../address/address.ts";
import { now, type TimeRange, timeRange } from "./format.ts";

/** The time range of the address, by default the last 24 hours before the data's present time. */
export function useTimeRange(): TimeRange {
  const [last] = useText("last");
  const [from] = useText("from");
  const [to] = useText("to");
  const end = now.value;
  return useMemo(() => timeRange({ last, from, to }, end), [last, from, to, end.getTime()]);
}
