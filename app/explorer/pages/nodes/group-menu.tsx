import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { AddFact } from "../facets/add-fact.tsx";
import { type Facet, facetLabel } from "../facets/filters.ts";
import { Dialog } from "../frame/dialog.tsx";
import { factTitle } from "../pql/fact-path.ts";
import { visibleText } from "../value/text.ts";

export interface GroupMenuProps {
  readonly group: readonly string[];
  /** Fields that are offered. */
  readonly facets: readonly Facet[];
  readonly onGroup: (fields: readonly string[]) => void;
}

/** Fields that nodes are grouped by at once. */
const MOST = 2;

/** Counts nodes by one or two fields or facts instead of listing them. */
export function GroupMenu({ group, facets, onGroup }: GroupMenuProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const labelOf = (field: string): string => visibleText(facetLabel(field, facets));
  const offered = [...facets.map(({ field }) => field), ...group.filter((field) => factTitle(field) !== undefined)];
  const switched = (field: string): readonly string[] =>
    group.includes(field) ? group.filter((one) => one !== field) : [...group, field].slice(-MOST);
  return (
    <>
      <button type="button" aria-pressed={group.length > 0} onClick={() => setIsOpen(true)}>
        {group.length === 0 ? "Group by" : `Grouped by ${group.map(labelOf).join(", ")}`}
      </button>
      {isOpen ? (
        <Dialog title="Group by" onClose={() => setIsOpen(false)}>
          <p>Counts the nodes by one or two fields.</p>
          <ul class="columns-list">
            {[...new Set(offered)].map((field) => (
              <li key={field}>
                <label>
                  <input type="checkbox" checked={group.includes(field)} onChange={() => onGroup(switched(field))} />{" "}
                  <bdi>{labelOf(field)}</bdi>
                </label>
              </li>
            ))}
          </ul>
          <AddFact label="Add a fact" onAdd={(field) => onGroup(switched(field))} />
          <p class="columns-actions">
            <button type="button" disabled={group.length === 0} onClick={() => onGroup([])}>
              List the nodes
            </button>
            <button type="button" class="primary" onClick={() => setIsOpen(false)}>
              Done
            </button>
          </p>
        </Dialog>
      ) : null}
    </>
  );
}
