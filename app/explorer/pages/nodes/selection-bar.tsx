import type { JSX } from "preact";
import { ExportMenu } from "../export/menu.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { literal, query } from "../pql/text.ts";
import { nodeFields } from "./node-row.ts";

export interface SelectionBarProps {
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
}

/** What can be done with the selected nodes. */
export function SelectionBar({ selected, onClear }: SelectionBarProps): JSX.Element | null {
  if (selected.size === 0) return null;
  const names = [...selected].sort();
  const where = `certname in [${names.map((name) => literal(name)).join(", ")}]`;
  return (
    <div class="selection-bar" role="region" aria-label="Selected nodes">
      <strong>{selected.size.toLocaleString()} selected</strong>
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
