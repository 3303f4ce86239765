import { about } from "./about.ts";

/** Whether there is neither a node nor a report. */
export function isNothingStored(): boolean {
  const { nodes = 0, inactive = 0, reports = 0 } = about.value?.counts ?? {};
  return about.value !== undefined && nodes + inactive + reports === 0;
}
