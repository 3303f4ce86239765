import { about, opening } from "./about.ts";

/** Whether there is neither a node nor a report, and none is about to be read. */
export function isNothingStored(): boolean {
  const { nodes = 0, inactive = 0, reports = 0 } = about.value?.counts ?? {};
  return about.value !== undefined && opening.value === undefined && nodes + inactive + reports === 0;
}
