import type { JSX } from "preact";

/** What else is special about a node. */
export interface BadgedNode {
  readonly deactivated: string | null;
  readonly expired: string | null;
  readonly latest_report_noop: boolean | null;
  readonly cached_catalog_status: string | null;
}

/** Marks beside a node's state: noop mode, cached catalog, deactivated, expired. */
export function NodeBadges({ node }: { readonly node: BadgedNode }): JSX.Element {
  return (
    <>
      {node.deactivated === null ? null : (
        <span class="badge" title="The node was deactivated">
          deactivated
        </span>
      )}
      {node.expired === null ? null : (
        <span class="badge" title="The node sent nothing for so long that it expired">
          expired
        </span>
      )}
      {node.latest_report_noop === true ? (
        <span class="badge" title="The latest run only simulated its changes">
          noop
        </span>
      ) : null}
      {node.cached_catalog_status === "explicitly_requested" ? (
        <span class="badge" title="The agent is configured to use the cached catalog">
          cached
        </span>
      ) : null}
    </>
  );
}
