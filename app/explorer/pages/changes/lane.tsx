import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { movedTo } from "../charts/axis.ts";
import { formatTime } from "../time/format.ts";
import type { LanePlace } from "./change-groups.ts";
import { counted } from "../value/text.ts";

export interface ChangeLaneProps {
  /** The oldest first. */
  readonly places: readonly LanePlace[];
  /** Where the changes of a place are. */
  readonly hrefOf: (key: string) => string;
  readonly chosen: string;
}

/** Px. */
const HEIGHT = 32;
const LEAST = 4;

/** A bar for each run with changes, in the row of the runs: the height is their number. One tab stop; arrows go from bar to bar. */
export function ChangeLane({ places, hrefOf, chosen }: ChangeLaneProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const linked = places.filter(({ count }) => count > 0);
  const [at, setAt] = useState<string | undefined>(undefined);
  const [read, setRead] = useState<LanePlace | undefined>(undefined);
  const current = Math.max(0, at === undefined ? linked.length - 1 : linked.findIndex(({ key }) => key === at));
  const most = Math.max(1, ...places.map(({ count }) => count));
  return (
    <div class="change-lane">
      {/* The arrows belong to the links inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above */}
      <ol
        ref={list}
        aria-label="Runs with changes"
        onPointerLeave={() => setRead(undefined)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
          const next = movedTo(event.key, current, linked.length);
          if (next === undefined) return;
          event.preventDefault();
          list.current?.querySelectorAll("a")[next]?.focus();
        }}
      >
        {places.map((place) => (
          <li key={place.key}>
            {place.count === 0 ? (
              <svg width="10" height={HEIGHT} aria-hidden="true">
                <rect class="change-none" width="10" y={HEIGHT - 1} height="1" />
              </svg>
            ) : (
              <a
                href={hrefOf(place.key)}
                tabIndex={place === linked[current] ? 0 : -1}
                aria-label={placeText(place)}
                aria-current={place.key === chosen ? "true" : undefined}
                onPointerEnter={() => setRead(place)}
                onFocus={() => {
                  setAt(place.key);
                  setRead(place);
                }}
                onBlur={() => setRead(undefined)}
              >
                <svg width="10" height={HEIGHT} aria-hidden="true">
                  <rect class="change-bar" width="10" {...bar(place.count, most)} />
                </svg>
              </a>
            )}
          </li>
        ))}
      </ol>
      <p class="strip-reading muted" aria-hidden="true">
        {read === undefined ? "height = number of changes" : placeText(read)}
      </p>
    </div>
  );
}

function placeText({ at, count }: LanePlace): string {
  return `${formatTime(at)}, ${counted(count, "change")}`;
}

/** A run with a thousand changes leaves those with a few visible. */
function bar(count: number, most: number): { readonly y: number; readonly height: number } {
  const height = Math.max(LEAST, (HEIGHT * Math.log(count + 1)) / Math.log(most + 1));
  return { y: HEIGHT - height, height };
}
