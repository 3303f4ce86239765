import type { ComponentChildren, JSX } from "preact";
import { Dialog } from "../frame/dialog.tsx";
import { marked } from "../value/value.tsx";

/** A column that can be chosen. */
export interface OfferedColumn {
  readonly key: string;
  readonly title: string;
  /** For a tool tip, where the title does not say enough. */
  readonly meaning?: string;
}

export interface ColumnsDialogProps {
  readonly offered: readonly OfferedColumn[];
  /** Keys of the columns that are shown. */
  readonly shown: readonly string[];
  readonly onChange: (shown: readonly string[]) => void;
  readonly onReset: () => void;
  readonly onClose: () => void;
  /** After the list: other columns. */
  readonly children?: ComponentChildren;
}

/** Chooses the columns of a table. */
export function ColumnsDialog({ offered, onReset, onClose, children, ...choice }: ColumnsDialogProps): JSX.Element {
  return (
    <Dialog title="Columns" place="side" onClose={onClose}>
      <ColumnList offered={offered} {...choice} />
      {children}
      <p class="columns-actions">
        <button type="button" onClick={onReset}>
          Default columns
        </button>
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </p>
      <p class="muted">The menu of a column’s title moves it.</p>
    </Dialog>
  );
}

/** Columns, each with a box that shows or hides it. */
export function ColumnList({
  offered,
  shown,
  onChange,
}: Pick<ColumnsDialogProps, "offered" | "shown" | "onChange">): JSX.Element {
  const switched = (key: string): readonly string[] =>
    shown.includes(key) ? shown.filter((one) => one !== key) : [...shown, key];
  return (
    <ul class="columns-list">
      {offered.map(({ key, title, meaning }) => (
        <li key={key}>
          <label title={meaning}>
            <input type="checkbox" checked={shown.includes(key)} onChange={() => onChange(switched(key))} />{" "}
            <bdi>{marked(title)}</bdi>
          </label>
        </li>
      ))}
    </ul>
  );
}
