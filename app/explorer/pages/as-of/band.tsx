import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { paths } from "../address/pages.ts";
import { about } from "../data/about.ts";
import { asOf, chosenTime } from "../data/as-of.ts";
import { announce } from "../frame/announcements.tsx";
import { useHeightProperty } from "../frame/height-property.ts";
import { formatAge, formatTime, zone } from "../time/format.ts";
import { chooseTime } from "./choose.ts";

/** Says which time the pages show, as long as it is not the present. */
export function AsOfBand({ onChoose }: { readonly onChoose: () => void }): JSX.Element {
  const { path } = useLocation();
  const element = useRef<HTMLDivElement>(null);
  useHeightProperty(element, "--band");
  const time = asOf.value;
  const chosen = chosenTime.value;
  const canChoose = about.value?.history != null;
  const utc = zone.value === "utc" ? " UTC" : "";
  const text = time === undefined ? "The present state" : `As of ${formatTime(time)}${utc}`;
  useEffect(() => announce(text), [text]);
  return (
    <div ref={element} class="as-of-band" role="region" aria-label="Time of what is shown">
      <strong>{text}</strong>
      <span>{note(time, chosen, path)}</span>
      <span class="as-of-actions">
        {!canChoose ? null : (
          <button type="button" onClick={onChoose}>
            Change
          </button>
        )}
        <button type="button" onClick={() => chooseTime(undefined)}>
          {time === undefined ? "Close" : "Back to now"}
        </button>
      </span>
    </div>
  );
}

function note(time: string | undefined, chosen: string | undefined, path: string): string {
  if (time === undefined) {
    return about.value?.history == null
      ? "No changes are recorded here: neither in archives without history nor with history-ttl = 0s."
      : `${formatTime(chosen)} is in the future.`;
  }
  if (path === paths.status)
    return "Only the counts of nodes and reports are of that time; all else here is the present.";
  const age = formatAge(time, new Date(about.value?.now ?? Date.now()));
  return chosen === time ? age : `${age}, the earliest that is recorded; ${formatTime(chosen)} is before it.`;
}
