import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { stringifyJson } from "#storage/json.ts";
import { href } from "../address/address.ts";
import { Dialog } from "../frame/dialog.tsx";
import { CellLink } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { Value } from "../value/value.tsx";
import { linkOf, type ResultColumn, type ResultRow, sortValue } from "./columns.ts";
import type { Result } from "./runs.ts";

export interface ResultTableProps {
  readonly result: Result;
  /** `-certname`; empty: as the server sent them. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Longer values are cut: a cell is one line. Characters. */
const CELL = 200;
/** Of a character of the table's font, px. */
const CHARACTER = 7.2;

/** The rows of a result. Enter, or a click on a row, shows all of it. */
export function ResultTable({ result, sort, onSort }: ResultTableProps): JSX.Element {
  const [open, setOpen] = useState<ResultRow | undefined>(undefined);
  const { rows, columns: found, entity, isSortedByServer } = result;
  const columns = useMemo(
    () => found.map((column, index) => tableColumn(column, entity, index === growing(found))),
    [result],
  );
  const [, minus = "", field = ""] = /^(-?)([\s\S]*)$/.exec(sort) ?? [];
  const order = { field, descending: minus === "-" };
  const source = useMemorySource(rows, { columns, ...(isSortedByServer || field === "" ? {} : { sort: order }) });
  return (
    <>
      <DataTable<ResultRow>
        name="Result"
        columns={columns}
        source={source}
        sort={field === "" ? undefined : order}
        onSort={(next) => onSort(`${next.descending ? "-" : ""}${next.field}`)}
        onOpen={setOpen}
        empty={<p>The query returns no rows.</p>}
      />
      {open === undefined ? null : <RowDialog row={open} entity={entity} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** The last column gets the remaining width, but numbers stay beside what they count. */
function growing(columns: readonly ResultColumn[]): number {
  return columns.at(-1)?.kind === "number" ? -1 : columns.length - 1;
}

function tableColumn(
  { name, kind, width }: ResultColumn,
  entity: string | undefined,
  grows: boolean,
): Column<ResultRow> {
  return {
    key: name,
    title: name,
    width: Math.round(Math.max(80, Math.min(420, width * CHARACTER + 24))),
    grows,
    sort: name,
    ...(kind === "number" ? { align: "end" as const } : {}),
    value: (row) => sortValue(row[name]),
    cell: (row) => <Cell row={row} name={name} entity={entity} />,
  };
}

function Cell({ row, name, entity }: { row: ResultRow; name: string; entity: string | undefined }): JSX.Element {
  if (!Object.hasOwn(row, name)) return <span class="muted" />;
  const link = linkOf(entity, name, row);
  const value = <Value value={row[name]} limit={CELL} quoted={false} />;
  if (link === undefined) return value;
  return <CellLink href={href(link.page, link.segments, link.parameters)}>{value}</CellLink>;
}

interface RowDialogProps {
  readonly row: ResultRow;
  readonly entity: string | undefined;
  readonly onClose: () => void;
}

function RowDialog({ row, entity, onClose }: RowDialogProps): JSX.Element {
  return (
    <Dialog title="Row" place="side" onClose={onClose}>
      <dl class="query-row">
        {Object.entries(row).map(([name, value]) => {
          const link = linkOf(entity, name, row);
          const isLong = typeof value === "object" && value !== null && stringifyJson(value).length > 60;
          const shown = isLong ? <pre>{JSON.stringify(value, undefined, 2)}</pre> : <Value value={value} name={name} />;
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {link === undefined ? shown : <a href={href(link.page, link.segments, link.parameters)}>{shown}</a>}
              </dd>
            </div>
          );
        })}
      </dl>
    </Dialog>
  );
}
