import { go, withParameters } from "../address/address.ts";
import { timeText } from "../data/as-of.ts";

/** Shows the state of a time; undefined: the present one. The query of the workbench stays. */
export function chooseTime(time: Date | undefined): void {
  const present = `${location.pathname}${location.search}`;
  const changed = withParameters(present, { as_of: time === undefined ? undefined : timeText(time) });
  if (changed !== present) go(`${changed}${location.hash}`);
}
