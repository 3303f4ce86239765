/** A span of time that pages are limited to. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
  /** `24h`, or undefined for two given times. */
  readonly last: string | undefined;
  /** As text: "last 24 hours". */
  readonly label: string;
}

/** Spans that the header offers. */
export const offeredSpans = ["1h", "6h", "24h", "3d", "7d", "14d", "30d"] as const;

export const defaultSpan = "24h";

const units = { m: ["minute", 60_000], h: ["hour", 3_600_000], d: ["day", 86_400_000] } as const;

/** `24h` in ms; undefined when the text is not a span. */
export function spanOf(last: string): number | undefined {
  const [, digits, unit] = /^(\d{1,4})([mhd])$/.exec(last) ?? [];
  return digits === undefined || unit === undefined ? undefined : Number(digits) * units[unit as keyof typeof units][1];
}

/** "last 24 hours" */
export function spanLabel(last: string): string {
  const [, digits = "", unit = "h"] = /^(\d+)([mhd])$/.exec(last) ?? [];
  return `last ${digits} ${units[unit as keyof typeof units][0]}${digits === "1" ? "" : "s"}`;
}

/** The range that parameters describe; invalid ones count as absent. */
export function timeRange({ last, from, to }: { last: string; from: string; to: string }, end: Date): TimeRange {
  const start = new Date(from);
  const given = to === "" ? end : new Date(to);
  if (!Number.isNaN(start.getTime()) && !Number.isNaN(given.getTime()) && start < given) {
    return { from: start, to: given, last: undefined, label: "chosen range" };
  }
  const span = spanOf(last) === undefined ? defaultSpan : last;
  return {
    from: new Date(end.getTime() - (spanOf(span) ?? 0)),
    to: end,
    last: span,
    label: spanLabel(span),
  };
}
