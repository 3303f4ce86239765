import type { JSX } from "preact";
import type { ReportRow } from "./rows.ts";

/** What else is special about a run: simulated, from a cached catalog. */
export function Badges({ report }: { readonly report: ReportRow }): JSX.Element {
  return (
    <>
      {report.noop === true ? (
        <span class="badge" title="The run only simulated its changes">
          noop
        </span>
      ) : null}
      {report.cached_catalog_status === "explicitly_requested" ? (
        <span class="badge" title="The agent is configured to use the cached catalog">
          cached catalog
        </span>
      ) : null}
    </>
  );
}
