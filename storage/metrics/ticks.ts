/** A clock for measuring: milliseconds since some fixed moment, never going back. Rates and samples are dated by it. */
export type Ticks = () => number;

/** The process' own. */
export const systemTicks: Ticks = () => performance.now();
