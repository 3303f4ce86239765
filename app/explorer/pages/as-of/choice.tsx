import type { JSX } from "preact";
import { about } from "../data/about.ts";
import { asOf, timeText } from "../data/as-of.ts";
import { formatTime, seen, zone } from "../time/format.ts";
import { readTypedTime } from "#storage/time/typed.ts";
import { go, withParameters } from "../address/address.ts";
import { TypedField } from "../time/typed-field.tsx";

/** Shows the state of a time; undefined: the present one. The query of the workbench stays. */
export function chooseTime(time: Date | undefined): void {
  const present = `${location.pathname}${location.search}`;
  const changed = withParameters(present, { as_of: time === undefined ? undefined : timeText(time) });
  if (changed !== present) go(`${changed}${location.hash}`);
}

const offered = ["1 hour ago", "6 hours ago", "1 day ago", "2 days ago", "1 week ago", "4 weeks ago"];

/** Times before one that can be chosen in words. */
export function offeredTimes(now: Date): string[] {
  const earliest = Date.parse(about.value?.history ?? "");
  return [...offered.filter((ago) => (readTypedTime(ago, seen(now)) ?? 0) >= earliest), EARLIEST];
}

const EARLIEST = "earliest";

/** Reads a past time that somebody typed. @returns what is wrong where it is none */
export function readPast(text: string, now: Date): Date | string {
  if (text === EARLIEST) return new Date(about.value?.history ?? now);
  const read = readTypedTime(text, seen(now));
  if (read === undefined) {
    return "Write a time such as 2026-11-18 12:00 or yesterday 12:00, or how long ago: 90m, 2h, 7d, 4w.";
  }
  const time = new Date(read);
  return time > now ? `${formatTime(time)} is in the future.` : time;
}

/** Chooses the time whose state all pages show. */
export function TimeChoice({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const now = new Date(about.value?.now ?? Date.now());
  return (
    <>
      <p>
        All pages show what was known at the time ({zone.value === "utc" ? "UTC" : "local"}) that you type: nodes,
        facts, catalogs, packages, reports.
      </p>
      <TypedField
        isInline
        label="Time, or how long ago"
        placeholder="2026-11-18 12:00 or 2d"
        value=""
        offered={[...(asOf.value === undefined ? [] : ["now"]), ...offeredTimes(now)]}
        take={(text) => {
          const time = readPast(text, now);
          if (typeof time === "string") return time;
          onClose();
          chooseTime(time.getTime() === now.getTime() ? undefined : time);
          return undefined;
        }}
      />
      <p class="muted">
        Changes are recorded since {formatTime(about.value?.history)}. Not recorded, and so as they are now: facts that
        change with every run, such as uptime and free memory.
      </p>
    </>
  );
}
