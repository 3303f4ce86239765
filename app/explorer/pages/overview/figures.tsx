import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { about } from "../data/about.ts";

/** How much is stored. */
export function Figures(): JSX.Element | null {
  const counts = about.value?.counts;
  if (counts === undefined) return null;
  return (
    <span class="muted">
      <a href={href("nodes")}>{counts.nodes.toLocaleString()} nodes</a>
      {counts.inactive === 0 ? "" : ` and ${counts.inactive.toLocaleString()} inactive`} ·{" "}
      <a href={href("reports")}>{counts.reports.toLocaleString()} reports</a>
    </span>
  );
}
