import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { shareText } from "../charts/share.ts";
import { StateMark } from "../state/state-mark.tsx";
import type { StateKey } from "../state/states.ts";

export interface TileProps {
  readonly state: StateKey;
  readonly count: number;
  readonly total: number;
  /** Within the last hour, or since the wall was opened. */
  readonly change: number;
}

/** One state in large figures. */
export function Tile({ state, count, total, change }: TileProps): JSX.Element {
  return (
    <li class={count === 0 ? "wall-tile none" : "wall-tile"}>
      <a href={href("nodes", [], { f: `state=${JSON.stringify(state)}` })}>
        <strong>{count.toLocaleString()}</strong>
        <StateMark state={state} />
        <span class="wall-share">
          {count === 0 ? "" : shareText(count, total)}
          {change === 0
            ? ""
            : `${count === 0 ? "" : " · "}${change > 0 ? "+" : "−"}${Math.abs(change).toLocaleString()}`}
        </span>
      </a>
    </li>
  );
}
