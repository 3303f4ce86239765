import type { Ticks } from "#storage/metrics/ticks.ts";

/** A clock for measuring that is moved by hand, in ms. */
export interface Hand {
  readonly ticks: Ticks;
  readonly advance: (ms: number) => void;
}

export function hand(): Hand {
  let now = 0;
  return {
    ticks: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
