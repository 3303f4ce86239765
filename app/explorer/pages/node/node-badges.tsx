import type { JSX } from "preact";

/** What else is special about a node. */
export interface BadgedNode {
  readonly deactivated: string | null;
  readonly expired: string | null;
  readonly latest_report_noop: boolean | null;
  readonly cached_catalog_status: string | null;
}

const badges: readonly { text: string; meaning: string; has: (node: BadgedNode) => boolean }[] = [
  { text: "deactivated", meaning: "The node was deactivated", has: ({ deactivated }) => deactivated !== null },
  {
    text: "expired",
    meaning: "The node sent nothing for so long that it expired",
    has: ({ expired }) => expired !== null,
  },
  {
    text: "noop",
    meaning: "The latest run only simulated its changes",
    has: ({ latest_report_noop: isNoop }) => isNoop === true,
  },
  {
    text: "cached",
    meaning: "The agent is configured to use the cached catalog",
    has: ({ cached_catalog_status: status }) => status === "explicitly_requested",
  },
];

/** The marks that a node has. */
export function badgesOf(node: BadgedNode): readonly { readonly text: string; readonly meaning: string }[] {
  return badges.filter(({ has }) => has(node));
}

/** Marks beside a node's state: noop mode, cached catalog, deactivated, expired. */
export function NodeBadges({ node }: { readonly node: BadgedNode }): JSX.Element {
  return (
    <>
      {badgesOf(node).map(({ text, meaning }) => (
        <span key={text} class="badge" title={meaning}>
          {text}
        </span>
      ))}
    </>
  );
}
