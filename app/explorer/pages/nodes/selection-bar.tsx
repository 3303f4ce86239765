import type { JSX } from "preact";
import { ExportMenu } from "../export/menu.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { literal, query } from "../pql/text.ts";
import { nodeFields } from "./node-row.ts";

export interface SelectionBarProps {
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
  readonly onShare: () => void;
}

/** What can be done with the selected nodes. */
export function SelectionBar({ selected, onClear, onShare }: SelectionBarProps): JSX.Element | null {
  if (selected.size === 0) return null;
  const names = [...selected].sort();
  const where = namedNodes(names);
  return (
    <div class="selection-bar" role="region" aria-label="Selected nodes">
      <strong>{selected.size.toLocaleString()} selected</strong>
      <button type="button" onClick={onShare}>
        What do they share?
      </button>
      <CopyButton text={names.join("\n")}>Copy names</CopyButton>
      <ExportMenu
        name="selected-nodes"
        pql={query("nodes", { select: nodeFields, where, orderBy: ["certname"] })}
        isMain={false}
      />
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
