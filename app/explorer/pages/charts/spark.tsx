import type { JSX } from "preact";
import type { SeriesToken } from "./axis.ts";

export interface SparkProps {
  /** Counts in the order of time. */
  readonly values: readonly number[];
  /** "Events per hour, last 24 hours"; the range of the counts is added. */
  readonly label: string;
  readonly token?: SeriesToken;
  /** Px. */
  readonly width?: number;
  readonly height?: number;
}

/** Counts over time as a small picture. */
export function Spark({ values, label, token = "value", width = 96, height = 18 }: SparkProps): JSX.Element {
  const most = Math.max(0, ...values);
  const step = width / Math.max(1, values.length);
  return (
    <svg
      class={`spark series-${token}`}
      width={width}
      height={height}
      role="img"
      aria-label={`${label}: ${values.length} counts, at most ${most.toLocaleString()}, last ${(values.at(-1) ?? 0).toLocaleString()}`}
    >
      <path class="spark-base" d={`M0 ${height - 0.5}H${width}`} />
      {values.map((value, index) => {
        if (value === 0) return null;
        const bar = Math.max(2, ((height - 1) * value) / most);
        return (
          <rect
            // Spans of time have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            key={index}
            x={index * step}
            y={height - bar}
            width={Math.max(1, step - 1)}
            height={bar}
            fill="currentColor"
          />
        );
      })}
    </svg>
  );
}
