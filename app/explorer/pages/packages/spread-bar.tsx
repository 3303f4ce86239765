import type { JSX } from "preact";
import type { PackageVersions } from "./versions.ts";

/** Narrower parts of the bar cannot be seen. */
const MOST_PARTS = 40;

/** The versions of a package side by side, the newest first and in a colour of its own. The columns beside it say the same. */
export function SpreadBar({ versions, installed }: PackageVersions): JSX.Element {
  let before = 0;
  return (
    <svg class="spread-bar" width="100%" height="10" aria-hidden="true">
      {versions.slice(0, MOST_PARTS).map(({ version, count }) => {
        const start = (100 * before) / installed;
        before += count;
        return <rect key={version} x={`${start}%`} width={`${(100 * count) / installed}%`} height="10" />;
      })}
    </svg>
  );
}
