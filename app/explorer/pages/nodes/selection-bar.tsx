import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { ExportMenu } from "../export/menu.tsx";
import { CopyButton } from "../frame/dialog.tsx";
import { literal, query } from "../pql/text.ts";
import { nodeFields } from "./node-row.ts";

export interface SelectionBarProps {
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
  readonly onShare: () => void;
}

/** Characters of a query that names nodes, at most: the server reads requests of up to 256 kB. */
const LONGEST_QUERY = 250_000;

/** What can be done with the selected nodes. */
export function SelectionBar({ selected, onClear, onShare }: SelectionBarProps): JSX.Element | null {
  if (selected.size === 0) return null;
  const names = [...selected].sort();
  const pql = query("nodes", { select: nodeFields, where: namedNodes(names), orderBy: ["certname"] });
  const isTooLong = JSON.stringify(pql).length > LONGEST_QUERY;
  return (
    <div class="selection-bar" role="region" aria-label="Selected nodes">
      <strong>{selected.size.toLocaleString()} selected</strong>
      {isTooLong ? null : (
        <button type="button" onClick={onShare}>
          What do they share?
        </button>
      )}
      {selected.size === 2 ? <a href={href("compare", [], { left: names[0], right: names[1] })}>Compare</a> : null}
      <CopyButton text={names.join("\n")}>Copy names</CopyButton>
      {isTooLong ? (
        <span class="muted">
          Too many names for a query, which may have {LONGEST_QUERY.toLocaleString()} characters: about 5,000 nodes.
          Filter the list and export that, or copy the names.
        </span>
      ) : (
        <ExportMenu name="selected-nodes" pql={pql} isMain={false} />
      )}
      <button type="button" class="plain" onClick={onClear}>
        Clear the selection
      </button>
    </div>
  );
}

/** The condition that selects nodes by their names. */
export function namedNodes(names: readonly string[]): string {
  return `certname in [${names.map((name) => literal(name)).join(", ")}]`;
}
