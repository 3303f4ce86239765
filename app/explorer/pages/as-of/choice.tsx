import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { about } from "../data/about.ts";
import { asOf, timeText } from "../data/as-of.ts";
import { formatTime, zone } from "../time/format.ts";
import { readTime } from "./read-time.ts";
import { go, withParameters } from "../address/address.ts";

/** Shows the state of a time; undefined: the present one. The query of the workbench stays. */
export function chooseTime(time: Date | undefined): void {
  const present = `${location.pathname}${location.search}`;
  const changed = withParameters(present, { as_of: time === undefined ? undefined : timeText(time) });
  if (changed !== present) go(`${changed}${location.hash}`);
}

const offered = [
  { text: "1h", label: "1 hour ago" },
  { text: "6h", label: "6 hours ago" },
  { text: "1d", label: "1 day ago" },
  { text: "2d", label: "2 days ago" },
  { text: "1w", label: "1 week ago" },
  { text: "4w", label: "4 weeks ago" },
] as const;

/** Chooses the time whose state all pages show. */
export function TimeChoice({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const now = new Date(about.value?.now ?? Date.now());
  const earliest = new Date(about.value?.history ?? now);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const choose = (time: Date | undefined): void => {
    onClose();
    chooseTime(time);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const time = readTime(text, now, zone.value);
    if (time === undefined) setProblem("Write a time such as 2026-11-18 12:00, or how long ago: 90m, 2h, 7d, 4w.");
    else if (time > now) setProblem(`${formatTime(time)} is in the future.`);
    else choose(time);
  };
  return (
    <>
      <p>All pages then show what was known at that time: nodes, facts, catalogs, packages, reports.</p>
      <form class="as-of-form" onSubmit={submit}>
        <label>
          Time ({zone.value === "utc" ? "UTC" : "local"}), or how long ago
          <input
            // The dialog focuses the field with this attribute, else its first button.
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that was opened to type into
            autofocus
            type="text"
            value={text}
            placeholder="2026-11-18 12:00 or 2d"
            aria-invalid={problem === undefined ? undefined : true}
            aria-describedby={problem === undefined ? undefined : "as-of-problem"}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
        </label>
        <button type="submit" class="primary">
          Show
        </button>
      </form>
      {problem === undefined ? null : (
        <p id="as-of-problem" class="as-of-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="as-of-offered" role="group" aria-label="Times that are often chosen">
        {offered.map(({ text: ago, label }) => {
          const time = readTime(ago, now, zone.value);
          return time === undefined || time < earliest ? null : (
            <button key={ago} type="button" onClick={() => choose(time)}>
              {label}
            </button>
          );
        })}
        <button type="button" onClick={() => choose(earliest)}>
          The earliest: {formatTime(earliest)}
        </button>
        {asOf.value === undefined ? null : (
          <button type="button" onClick={() => choose(undefined)}>
            Back to now
          </button>
        )}
      </div>
      <p class="muted">
        Not recorded, and so as they are now: facts that change with every run, such as uptime and free memory.
      </p>
    </>
  );
}
