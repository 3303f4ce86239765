import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { StateMark } from "../state/state-mark.tsx";
import { type StateKey, stateLabels } from "../state/states.ts";
import { movedTo } from "./axis.ts";

/** A run as a bar that leads to its report. */
export interface StripRun {
  readonly key: string;
  readonly href: string;
  readonly state: StateKey;
  /** Its duration, which the height shows; seconds. */
  readonly size: number;
  /** "20 Nov 11:56, 31 s" */
  readonly text: string;
}

export interface StripProps {
  /** "Last 50 runs" */
  readonly label: string;
  /** Oldest first. */
  readonly runs: readonly StripRun[];
  /** Px; default 48. */
  readonly height?: number;
}

const LEAST = 3;

/** Runs in a row: the height is the duration, colour and shape are the state. One tab stop; arrows go from run to run. */
export function Strip({ label, runs, height = 48 }: StripProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const [at, setAt] = useState(runs.length - 1);
  const [read, setRead] = useState<number | undefined>(undefined);
  const most = Math.max(0, ...runs.map(({ size }) => size));
  const current = Math.min(at, runs.length - 1);
  const shown = read === undefined ? undefined : runs[read];
  return (
    <div class="strip-box">
      {/* The arrows belong to the links inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above */}
      <ol
        ref={list}
        class="strip"
        aria-label={label}
        onPointerLeave={() => setRead(undefined)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
          const next = movedTo(event.key, current, runs.length);
          if (next === undefined) return;
          event.preventDefault();
          setAt(next);
          list.current?.querySelectorAll("a")[next]?.focus();
        }}
      >
        {runs.map(({ key, href, state, size, text }, index) => (
          <li key={key}>
            <a
              href={href}
              tabIndex={index === current ? 0 : -1}
              aria-label={`${stateLabels[state]}, ${text}`}
              onPointerEnter={() => setRead(index)}
              onFocus={() => {
                setAt(index);
                setRead(index);
              }}
              onBlur={() => setRead(undefined)}
            >
              <svg width="10" height={height} aria-hidden="true">
                <rect
                  class={`series-${state}`}
                  width="10"
                  y={height - barHeight(size, most, height)}
                  height={barHeight(size, most, height)}
                  fill="currentColor"
                />
              </svg>
              <StateMark state={state} label={false} />
            </a>
          </li>
        ))}
      </ol>
      <p class="strip-reading muted" aria-hidden="true">
        {shown === undefined ? "height = duration" : `${stateLabels[shown.state]}, ${shown.text}`}
      </p>
    </div>
  );
}

function barHeight(size: number, most: number, height: number): number {
  return most <= 0 ? LEAST : Math.max(LEAST, (height * size) / most);
}
