import type { JSX } from "preact";
import { AddFact } from "../facets/add-fact.tsx";
import { factTitle } from "../pql/fact-path.ts";
import { ColumnsDialog, ColumnList, type ColumnsDialogProps } from "../table/columns-dialog.tsx";
import { nodeColumns } from "./columns.tsx";

/** Chooses the columns of the nodes: fields, counts, and any fact. */
export function NodeColumnsDialog(props: Omit<ColumnsDialogProps, "offered" | "children">): JSX.Element {
  const { shown, onChange } = props;
  const facts = shown.flatMap((key) => {
    const title = factTitle(key);
    return title === undefined ? [] : [{ key, title }];
  });
  return (
    <ColumnsDialog offered={nodeColumns} {...props}>
      <h3>Facts</h3>
      <ColumnList offered={facts} shown={shown} onChange={onChange} />
      <AddFact
        label="Add a fact as a column"
        onAdd={(field) => {
          if (!shown.includes(field)) onChange([...shown, field]);
        }}
      />
    </ColumnsDialog>
  );
}
