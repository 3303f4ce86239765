/** A monotonic clock for measuring: milliseconds since some fixed moment. Rates and samples use it. */
export type Ticks = () => number;

/** The process's clock. */
export const systemTicks: Ticks = () => performance.now();
