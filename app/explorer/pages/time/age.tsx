import type { JSX } from "preact";
import { formatAge, formatTime, now } from "./format.ts";

/** How long ago something was; the exact time is shown on hover and read by screen readers. */
export function Age({ time, none = "never" }: { time: string | null | undefined; none?: string }): JSX.Element {
  if (time === null || time === undefined) return <span class="muted">{none}</span>;
  const exact = formatTime(time, "second");
  return (
    <time dateTime={time} title={exact}>
      {formatAge(time, now.value)}
    </time>
  );
}
