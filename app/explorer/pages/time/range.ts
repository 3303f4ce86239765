import { useMemo } from "preact/hooks";
import { useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { now, type TimeRange, timeRange } from "./format.ts";

const codec = text();

/** The time range of the address, by default the last 24 hours before the data's present time. */
export function useTimeRange(): TimeRange {
  const [last] = useParameter("last", codec);
  const [from] = useParameter("from", codec);
  const [to] = useParameter("to", codec);
  const end = now.value;
  return useMemo(() => timeRange({ last, from, to }, end), [last, from, to, end.getTime()]);
}
