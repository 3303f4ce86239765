import type { JSX } from "preact";
import { AddFact } from "../facets/add-fact.tsx";
import { Dialog } from "../frame/dialog.tsx";
import { factTitle } from "../pql/fact-path.ts";
import { marked } from "../value/value.tsx";
import { nodeColumns } from "./columns.tsx";

export interface ColumnsDialogProps {
  /** Keys of the columns that are shown. */
  readonly shown: readonly string[];
  readonly onChange: (shown: readonly string[]) => void;
  readonly onReset: () => void;
  readonly onClose: () => void;
}

/** Chooses the columns of the table: fields, counts, and any fact. */
export function ColumnsDialog({ shown, onChange, onReset, onClose }: ColumnsDialogProps): JSX.Element {
  const facts = shown.filter((key) => factTitle(key) !== undefined);
  const switched = (key: string): readonly string[] =>
    shown.includes(key) ? shown.filter((one) => one !== key) : [...shown, key];
  const box = (key: string, title: string, meaning?: string): JSX.Element => (
    <li key={key}>
      <label title={meaning}>
        <input type="checkbox" checked={shown.includes(key)} onChange={() => onChange(switched(key))} />{" "}
        <bdi>{marked(title)}</bdi>
      </label>
    </li>
  );
  return (
    <Dialog title="Columns" place="side" onClose={onClose}>
      <ul class="columns-list">{nodeColumns.map(({ key, title, meaning }) => box(key, title, meaning))}</ul>
      <h3>Facts</h3>
      <ul class="columns-list">{facts.map((key) => box(key, factTitle(key) ?? key))}</ul>
      <AddFact
        label="Add a fact as a column"
        onAdd={(field) => {
          if (!shown.includes(field)) onChange([...shown, field]);
        }}
      />
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
