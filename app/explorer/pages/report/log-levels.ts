/** Levels of a log, the worst first; each button of the page shows one level and all before it. */
export const logLevels = ["err", "warning", "notice", "info", "debug"] as const;

export type LogLevel = (typeof logLevels)[number];

/** The button that a line belongs to: levels worse than `err` count as `err`, unknown ones as `notice`. */
export function levelOf(level: string): LogLevel {
  if (["emerg", "alert", "crit"].includes(level)) return "err";
  return logLevels.find((one) => one === level) ?? "notice";
}

/** Whether a line is shown when lines of `least` and worse are. */
export function isAtLeast(level: string, least: LogLevel): boolean {
  return logLevels.indexOf(levelOf(level)) <= logLevels.indexOf(least);
}
