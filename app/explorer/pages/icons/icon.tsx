import type { JSX } from "preact";

/** Drawn on a square of 16, in the colour of the text. */
const drawings = {
  overview: <path d="M2 2h5v7H2zM9 2h5v4H9zM9 8h5v6H9zM2 11h5v3H2z" />,
  issues: <path d="M8 1.8L15 14H1zM8 6v4M8 11.8v.7" />,
  nodes: <path d="M2 2.5h12v4H2zM2 9.5h12v4H2zM4.5 4.5h1M4.5 11.5h1" />,
  reports: <path d="M3 1.5h7l3 3v10H3zM5.5 7h5M5.5 9.5h5M5.5 12h3" />,
  events: <path d="M9 1.500L3.500 9h4L7 14.500 12.500 7h-4z" />,
  facts: <path d="M2 4h4M8 4h6M2 8h4M8 8h6M2 12h4M8 12h4" />,
  resources: <path d="M8 1.5l6 3.2v6.6l-6 3.2-6-3.2V4.7zM2 4.7l6 3.1 6-3.1M8 7.8v6.7" />,
  classes: <path d="M6 1.5h4v4H6zM1.5 10.5h4v4h-4zM10.5 10.5h4v4h-4zM8 5.5v2.5M3.5 10.5V8h9v2.5" />,
  packages: <path d="M2 5h12v9H2zM2 5l2-3h8l2 3M6.500 5v3.500h3V5" />,
  compare: <path d="M2 3h5v10H2zM9 3h5v10H9zM4.500 6v4M11.500 6v4" />,
  query: <path d="M2 3.5l4 4-4 4M8 12.5h6" />,
  status: <path d="M1.5 8.5h3l2-5 3 9 2-4h3" />,
  search: <path d="M11 11l3.5 3.5M7 2a5 5 0 1 1 0 10A5 5 0 0 1 7 2z" />,
  refresh: <path d="M13.5 8a5.5 5.5 0 1 1-1.6-3.9M12.5 1.5v3h-3" />,
  theme: (
    <g>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </g>
  ),
  help: <path d="M5.5 5.8A2.5 2.5 0 1 1 8 8.5V10M8 12.2v.8" />,
  export: <path d="M8 1.5v8M4.5 6.5L8 10l3.5-3.5M2 11.5v3h12v-3" />,
  close: <path d="M3.5 3.5l9 9m0-9l-9 9" />,
  copy: <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />,
  plus: <path d="M8 3v10M3 8h10" />,
  left: <path d="M10 3L5 8l5 5" />,
  right: <path d="M6 3l5 5-5 5" />,
  down: <path d="M3 6l5 5 5-5" />,
  up: <path d="M3 10l5-5 5 5" />,
  live: (
    <g>
      <circle cx="8" cy="8" r="2.500" fill="currentColor" />
      <path d="M4.500 4.500a5 5 0 0 0 0 7M11.500 4.500a5 5 0 0 1 0 7" />
    </g>
  ),
  paused: <path d="M5.500 3.500v9M10.500 3.500v9" />,
} as const satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof drawings;

/** A drawing beside a text or inside of a named control; never alone. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}
