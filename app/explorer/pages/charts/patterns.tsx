import type { JSX } from "preact";
import type { Series, SeriesToken } from "./axis.ts";

/** What is drawn over a tint of the series' colour, on a square of 6; solid for those that have nothing here. */
const textures: Partial<Readonly<Record<SeriesToken, JSX.Element>>> = {
  hidden: <path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="currentColor" stroke-width="1.6" />,
  corrective: <path d="M0 0l6 6M0 6l6-6" stroke="currentColor" stroke-width="1.1" />,
  changed: <path d="M0 1.500h6M0 4.500h6" stroke="currentColor" stroke-width="1.8" />,
  pending: <path d="M1.500 0v6M4.500 0v6" stroke="currentColor" stroke-width="1.2" />,
  silent: <circle cx="3" cy="3" r="1.200" fill="currentColor" />,
  never: <circle cx="3" cy="3" r="0.800" fill="currentColor" />,
  "value-2": <path d="M0 6l6-6M-1 1l2-2M5 7l2-2" stroke="currentColor" stroke-width="1" />,
  "value-3": <path d="M0 1.500h6M0 4.500h6" stroke="currentColor" stroke-width="1" />,
  "value-4": <circle cx="3" cy="3" r="1.200" fill="currentColor" />,
};

/** The textures of a chart's series. @param id of the chart, unique in the document */
export function SeriesPatterns({ id, series }: { id: string; series: readonly Series[] }): JSX.Element {
  const tokens = [...new Set(series.map(({ token }) => token))].filter((token) => textures[token] !== undefined);
  return (
    <defs>
      {tokens.map((token) => (
        <pattern
          key={token}
          id={`${id}-${token}`}
          class={`series-${token}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
        >
          <rect width="6" height="6" fill="currentColor" fill-opacity="0.25" />
          {textures[token]}
        </pattern>
      ))}
    </defs>
  );
}

/** What a mark of a series is filled with, in a chart that has its patterns. */
export function fillOf(id: string, token: SeriesToken): string {
  return textures[token] === undefined ? "currentColor" : `url(#${id}-${token})`;
}

/** A small square with the look of a series, for legends. */
export function Swatch({ id, token }: { id: string; token: SeriesToken }): JSX.Element {
  return (
    <svg class={`swatch series-${token}`} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <rect x="0.500" y="0.500" width="11" height="11" fill={fillOf(id, token)} stroke="currentColor" />
    </svg>
  );
}
