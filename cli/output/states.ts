import { eventStates, stateLabels } from "#storage/display/states.ts";
import type { StateKey } from "#storage/query/node-states.ts";
import { type Paint, style } from "../colours.ts";

/**
 * How a state is shown on a terminal: its sign has the shape that the explorer draws, so that no state is colour alone.
 */
export interface StateLook {
  readonly sign: string;
  readonly paint: Paint;
}

export const stateLooks: Readonly<Record<StateKey, StateLook>> = {
  never: { sign: "□", paint: style(2, 22) },
  silent: { sign: "◷", paint: style(1, 22) },
  failed: { sign: "✖", paint: style(31, 39) },
  hidden: { sign: "⊗", paint: style(31, 39) },
  corrective: { sign: "◆", paint: style(33, 39) },
  changed: { sign: "▲", paint: style(94, 39) },
  pending: { sign: "◐", paint: style(35, 39) },
  unchanged: { sign: "○", paint: style(90, 39) },
};

/** The states by their names: labels, and the statuses of reports and events. */
const states: Readonly<Record<string, StateKey>> = {
  ...Object.fromEntries(Object.entries(stateLabels).map(([key, label]) => [label, key as StateKey])),
  ...eventStates,
  // Of `cached_catalog_status`.
  on_failure: "hidden",
};

/** The state with a name. */
export function stateOfWord(word: string): StateKey | undefined {
  return Object.hasOwn(states, word) ? states[word] : undefined;
}

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
