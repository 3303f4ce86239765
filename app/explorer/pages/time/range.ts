import { useMemo } from "preact/hooks";
import { useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { now } from "./clock.ts";
import { type TimeRange, timeRange } from "./span.ts";

const codec = text();

/** The time range of the address, by default the last 24 hours before the data's present time. */
export function useTimeRange(): TimeRange {
  const [last] = useParameter("last", codec);
  const [from] = useParameter("from", codec);
  const [to] = useParameter("to", codec);
  const end = now.value;
  return useMemo(() => timeRange({ last, from, to }, end), [last, from, to, end.getTime()]);
}
