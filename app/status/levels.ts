/** Levels of detail. */
export const levels = ["critical", "info", "debug"] as const;
export type Level = (typeof levels)[number];

/** States of a service, the worst first (`reference/metrics.md §7`). */
export const states = ["error", "unknown", "stopping", "starting", "running"] as const;
export type State = (typeof states)[number];

/** The worst of several. */
export function worst(several: readonly State[]): State {
  return states.find((state) => several.includes(state)) ?? "unknown";
}
