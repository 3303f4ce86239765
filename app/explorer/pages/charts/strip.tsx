import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { movedTo } from "./axis.ts";

/** A run as a bar that leads somewhere. */
export interface StripBar {
  readonly key: string;
  /** Undefined: there is nothing, and a line in place of the bar. */
  readonly href: string | undefined;
  /** The height, at most 1. */
  readonly share: number;
  /** The class of the bar: "series-failed". */
  readonly class: string;
  /** "changed, 20 Nov 11:56, 31 s" */
  readonly text: string;
  /** Below the bar. */
  readonly mark?: ComponentChildren;
  readonly isCurrent?: boolean;
}

export interface StripProps {
  /** "Last 50 runs" */
  readonly label: string;
  /** What the height is: "duration". */
  readonly measure: string;
  /** Oldest first. */
  readonly bars: readonly StripBar[];
  /** Px. */
  readonly height: number;
}

const LEAST = 3;

/** Runs in a row. One tab stop; arrows go from bar to bar. */
export function Strip({ label, measure, bars, height }: StripProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const linked = bars.filter(({ href }) => href !== undefined);
  const [at, setAt] = useState<string | undefined>(undefined);
  const [read, setRead] = useState<StripBar | undefined>(undefined);
  const found = linked.findIndex(({ key }) => key === at);
  const current = found === -1 ? linked.length - 1 : found;
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
          const next = movedTo(event.key, current, linked.length);
          if (next === undefined) return;
          event.preventDefault();
          list.current?.querySelectorAll("a")[next]?.focus();
        }}
      >
        {bars.map((bar) => (
          <li key={bar.key}>
            {bar.href === undefined ? (
              <Bar class="strip-none" length={1} height={height} />
            ) : (
              <a
                href={bar.href}
                tabIndex={bar === linked[current] ? 0 : -1}
                aria-label={bar.text}
                aria-current={bar.isCurrent === true ? "true" : undefined}
                onPointerEnter={() => setRead(bar)}
                onFocus={() => {
                  setAt(bar.key);
                  setRead(bar);
                }}
                onBlur={() => setRead(undefined)}
              >
                <Bar class={bar.class} length={Math.max(LEAST, height * bar.share)} height={height} />
                {bar.mark}
              </a>
            )}
          </li>
        ))}
      </ol>
      <p class="strip-reading muted" aria-hidden="true">
        {read === undefined ? `height = ${measure}` : read.text}
      </p>
    </div>
  );
}

interface BarProps {
  readonly class: string;
  readonly length: number;
  readonly height: number;
}

function Bar({ class: name, length, height }: BarProps): JSX.Element {
  return (
    <svg width="10" height={height} aria-hidden="true">
      <rect class={name} width="10" y={height - length} height={length} fill="currentColor" />
    </svg>
  );
}
