import { CensusError } from "#storage/errors.ts";
import type { TimeRange } from "#storage/query/histogram/buckets.ts";
import { type Clock, parseTimestamp } from "#storage/time.ts";
import { rangeSpanMs } from "#storage/time/typed.ts";
import type { DescribedParameter } from "./described.ts";
import { type Given, single } from "./given.ts";

/** Parameters of a time range. */
export const rangeParameters: readonly DescribedParameter[] = [
  {
    name: "last",
    description: "The time range: a number of minutes, hours, days or weeks before now, as in `24h`",
    schema: { type: "string", pattern: "^\\d{1,4}[mhdw]$", default: "24h" },
  },
  {
    name: "from",
    description: "The beginning of the time range, in place of `last`",
    schema: { type: "string", format: "date-time" },
  },
  {
    name: "to",
    description: "Its end, which does not belong to it; default: now",
    schema: { type: "string", format: "date-time" },
  },
];

/** Ranges up to now end at a multiple of it (ms), so that requests within that time have the same answer. */
const STEP = 10_000;

/**
 * The time range of a request, in milliseconds since the epoch.
 * @throws CensusError "bad-input" when it is none
 */
export function readRange(given: Given, clock: Clock): TimeRange {
  const [last, from, to] = [single(given, "last"), single(given, "from"), single(given, "to")];
  const end = to === undefined ? Math.ceil((Number(clock.now() / 1000n) + 1) / STEP) * STEP : instant("to", to);
  if (from === undefined) return { from: end - readSpan("last", last ?? "24h"), to: end };
  if (last !== undefined) throw new CensusError("bad-input", "parameters 'last' and 'from' exclude each other");
  return { from: instant("from", from), to: end };
}

/** Years of four digits. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-01-01T00:00:00Z");

function instant(name: string, text: string): number {
  const time = parseTimestamp(text);
  const ms = time === undefined ? Number.NaN : Number(time / 1000n);
  if (ms >= EARLIEST && ms <= LATEST) return ms;
  throw new CensusError("bad-input", `parameter '${name}' is not a time; write it as 2026-11-20T12:00:00Z`);
}

/**
 * A number of minutes, hours, days or weeks, in ms.
 * @throws CensusError "bad-input" when it is none
 */
export function readSpan(name: string, text: string): number {
  const ms = rangeSpanMs(text);
  if (ms !== undefined) return ms;
  throw new CensusError(
    "bad-input",
    `parameter '${name}' is a number of minutes, hours, days or weeks, as in 90m, 24h, 14d or 4w`,
  );
}
