import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { go, href } from "../address/address.ts";
import { ColumnsDialog } from "../table/columns-dialog.tsx";
import { DataTable } from "../table/data-table.tsx";
import type { ReportList } from "./use-report-list.ts";

export interface ReportTableProps {
  readonly name: string;
  readonly reports: ReportList;
  readonly empty: ComponentChildren;
}

/** Reports, one a row. */
export function ReportTable({ name, reports, empty }: ReportTableProps): JSX.Element {
  return (
    <DataTable
      name={name}
      columns={reports.columns}
      source={reports.source}
      sort={reports.sort}
      onSort={reports.onSort}
      onColumns={reports.onColumns}
      onOpen={(row) => go(href("report", [row.hash]))}
      empty={empty}
    />
  );
}

/** Opens the list of columns. */
export function ReportColumnsButton({ reports }: Pick<ReportTableProps, "reports">): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Columns
      </button>
      {isOpen ? (
        <ColumnsDialog
          offered={reports.offered}
          shown={reports.columns.map(({ key }) => key)}
          onChange={reports.onColumns}
          onReset={reports.onReset}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
