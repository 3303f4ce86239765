import type { JSX } from "preact";
import { lastOutcomeOf, type NodeStateRow, type StateKey, states } from "./states.ts";

/** Shapes of the states, in a square of 16: each differs in form as well as in colour. */
const shapes: Readonly<Record<StateKey, JSX.Element>> = {
  never: <rect x="2.5" y="2.5" width="11" height="11" fill="none" stroke="currentColor" stroke-dasharray="2.5 2" />,
  silent: (
    <g fill="none" stroke="currentColor" stroke-width="1.6">
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.5 2" />
    </g>
  ),
  failed: (
    <g>
      <path d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" fill="currentColor" />
      <path d="M5.5 5.5l5 5m0-5l-5 5" fill="none" stroke="var(--ground)" stroke-width="1.8" />
    </g>
  ),
  hidden: (
    <g fill="none" stroke="currentColor" stroke-width="1.5">
      <path d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" stroke-dasharray="3 1.5" />
      <path d="M5.5 5.5l5 5m0-5l-5 5" />
    </g>
  ),
  corrective: <path d="M8 1.2L14.8 8 8 14.8 1.2 8z" fill="currentColor" />,
  changed: <path d="M8 2l6.5 12h-13z" fill="currentColor" />,
  pending: (
    <g>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.6" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </g>
  ),
  unchanged: <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.8" />,
};

export interface StateMarkProps {
  readonly state: StateKey;
  /** Shows the name beside the shape; default: yes. Without it only screen readers read the name. */
  readonly label?: boolean;
}

/** A node's state as shape, colour and word. */
export function StateMark({ state, label = true }: StateMarkProps): JSX.Element {
  const declared = states.find(({ key }) => key === state);
  return (
    <span class={`state-mark state-${state}`} title={declared?.meaning}>
      <StateShape state={state} />
      <span class={label ? undefined : "visually-hidden"}>{declared?.label}</span>
    </span>
  );
}

/** That the last run of a silent node failed, or hid that; nothing if it did not. */
export function LastFailure({ node }: { readonly node: NodeStateRow }): JSX.Element | null {
  const last = lastOutcomeOf(node);
  return last === "failed" || last === "hidden" ? <StateMark state={last} label={false} /> : null;
}

/** The shape alone, for places with other words: the status of an event. */
export function StateShape({ state }: { readonly state: StateKey }): JSX.Element {
  return (
    <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
      {shapes[state]}
    </svg>
  );
}
