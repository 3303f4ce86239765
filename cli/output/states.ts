import { stateOfWord, stateSigns } from "#storage/states/words.ts";
import type { StateKey } from "#storage/states/node-state.ts";
import { type Paint, style } from "../colours.ts";

/** How a state is shown on a terminal. */
export interface StateLook {
  readonly sign: string;
  readonly paint: Paint;
}

export const stateLooks: Readonly<Record<StateKey, StateLook>> = {
  never: { sign: stateSigns.never, paint: style(2, 22) },
  silent: { sign: stateSigns.silent, paint: style(1, 22) },
  failed: { sign: stateSigns.failed, paint: style(31, 39) },
  hidden: { sign: stateSigns.hidden, paint: style(31, 39) },
  corrective: { sign: stateSigns.corrective, paint: style(33, 39) },
  changed: { sign: stateSigns.changed, paint: style(94, 39) },
  pending: { sign: stateSigns.pending, paint: style(35, 39) },
  unchanged: { sign: stateSigns.unchanged, paint: style(90, 39) },
};

/** The paint of a state's name; none for other words. */
export function paintOfWord(word: string): Paint | undefined {
  const state = stateOfWord(word);
  return state === undefined ? undefined : stateLooks[state].paint;
}

/** A state as a cell shows it: `✖ failed`; other words unchanged. */
export function stateText(word: string, state: StateKey | undefined): string {
  return state === undefined ? word : `${stateLooks[state].sign} ${word}`;
}

const bySign = new Map(Object.values(stateLooks).map((look) => [look.sign, look.paint]));

/** The paint of a cell that {@link stateText} wrote; none for other words. */
export function paintOfState(cell: string): Paint | undefined {
  const [sign = ""] = cell;
  return cell.startsWith(`${sign} `) ? bySign.get(sign) : undefined;
}
