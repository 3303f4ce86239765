import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { about, latest } from "../data/about.ts";

/** How much is stored. */
export function Figures(): JSX.Element | null {
  const counts = about.value?.counts;
  if (counts === undefined) return null;
  const waiting = latest.value?.store.commandsWaiting ?? 0;
  return (
    <span class="muted">
      <a href={href("nodes")}>{counts.nodes.toLocaleString()} nodes</a>
      {counts.inactive === 0 ? "" : ` and ${counts.inactive.toLocaleString()} inactive`} ·{" "}
      <a href={href("resources")}>{counts.resources.toLocaleString()} resources</a> ·{" "}
      <a href={href("reports")}>{counts.reports.toLocaleString()} reports</a>
      {waiting === 0 ? null : (
        <>
          {" "}
          · <a href={href("status")}>{waiting.toLocaleString()} commands waiting</a>
        </>
      )}
    </span>
  );
}
