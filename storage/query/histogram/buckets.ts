import { CensusError } from "../../errors.ts";
import type { Zone } from "../../time/zone.ts";

/** The length of a bucket. */
export interface BucketWidth {
  readonly seconds: number;
  readonly name: string;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

export const bucketWidths: readonly BucketWidth[] = [
  { seconds: MINUTE, name: "1 min" },
  { seconds: 5 * MINUTE, name: "5 min" },
  { seconds: 15 * MINUTE, name: "15 min" },
  { seconds: HOUR, name: "1 h" },
  { seconds: 3 * HOUR, name: "3 h" },
  { seconds: 6 * HOUR, name: "6 h" },
  { seconds: DAY, name: "1 d" },
  { seconds: WEEK, name: "7 d" },
];

/** Maximum buckets of a histogram; one more if the range begins within a bucket. */
export const MOST_BUCKETS = 200;

/** From one instant up to another, which is excluded; milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The smallest width for which a range has at most this many buckets.
 * @throws CensusError "bad-input" if it has more than {@link MOST_BUCKETS} of the largest
 */
export function widthOf({ from, to }: TimeRange, buckets: number): BucketWidth {
  const fitting = bucketWidths.find(({ seconds }) => to - from <= buckets * seconds * 1000);
  const largest = bucketWidths.at(-1);
  const width = fitting ?? largest;
  if (width === undefined || to - from > MOST_BUCKETS * width.seconds * 1000) {
    throw new CensusError("bad-input", `the time range is longer than ${MOST_BUCKETS} times 7 days: narrow it`);
  }
  return width;
}

/**
 * The starts of buckets, in milliseconds since the epoch, the first at or before the beginning of the range. They are
 * where clocks of the zone show a multiple of the width (weeks on Monday), so that some are longer or shorter where the
 * clocks are changed; of an hour or less, none is longer.
 */
export function bucketStarts(range: TimeRange, { seconds }: BucketWidth, zone: Zone): number[] {
  const width = seconds * 1000;
  // The first day of 1970 was a Thursday.
  const origin = seconds === WEEK ? -3 * DAY * 1000 : 0;
  const first = Math.floor((zone.wallTime(range.from) - origin) / width) * width + origin;
  const starts = new Set<number>();
  // One more on each side: clocks may be changed by as much as a bucket is long, or a day.
  for (let wall = first - width; ; wall += width) {
    const start = zone.instant(wall);
    starts.add(start);
    if (start >= range.to) break;
  }
  const sorted = filled(
    [...starts].sort((a, b) => a - b),
    seconds <= HOUR ? width : Infinity,
  );
  const begin = sorted.findLastIndex((start) => start <= range.from);
  return sorted.slice(Math.max(0, begin)).filter((start) => start < range.to);
}

/** Adds starts so that none is further from the next than `most`. */
function filled(starts: readonly number[], most: number): number[] {
  return starts.flatMap((start, index) => {
    const next = starts[index + 1] ?? start;
    const between: number[] = [start];
    for (let at = start + most; at < next; at += most) between.push(at);
    return between;
  });
}
