const scales = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** A span in its largest unit, rounded down: `3 h`, `2 d`. @param seconds may be negative */
export function formatSpan(seconds: number): string {
  const size = Math.abs(seconds);
  for (const [unit, length] of scales) {
    if (size >= length || unit === "s") return `${Math.floor(size / length)} ${unit}`;
  }
  return "0 s";
}

/** How long a time is before another: `3 h ago`; after it: `in 3 h`. */
export function formatAge(time: Date | string, now: Date): string {
  const date = typeof time === "string" ? new Date(time) : time;
  if (Number.isNaN(date.getTime())) return "–";
  const seconds = (now.getTime() - date.getTime()) / 1000;
  return seconds < -1 ? `in ${formatSpan(seconds)}` : `${formatSpan(seconds)} ago`;
}

/** A run's length: `0.8 s`, `31 s`, `4 min 12 s`, `2 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
