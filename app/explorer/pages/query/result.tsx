import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ExportMenu } from "../export/menu.tsx";
import { PanelBoundary } from "../frame/panel.tsx";
import { Text, Value } from "../value/value.tsx";
import { counted, formatBytes } from "../value/text.ts";
import { ResultChart } from "./result-chart.tsx";
import { MOST_ROWS, type Result, type Run } from "./runs.ts";
import { type View, views } from "./tabs.ts";
import { stringifyJson } from "#storage/json.ts";
import { href } from "../address/address.ts";
import { Dialog } from "../frame/dialog.tsx";
import { CellLink } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { linkOf, type ResultColumn, type ResultRow, sortValue } from "./columns.ts";

interface ResultTableProps {
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
function ResultTable({ result, sort, onSort }: ResultTableProps): JSX.Element {
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

export interface ResultPanelProps {
  readonly run: Run;
  /** What to write instead of what the server refused. */
  readonly advice: string | undefined;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onCancel: () => void;
}

const viewNames: Readonly<Record<View, string>> = { table: "Table", json: "JSON", chart: "Chart" };

/** What came back, or why nothing did. */
export function ResultPanel({ run, advice, view, onView, sort, onSort, onCancel }: ResultPanelProps): JSX.Element {
  const { query, result, error, since } = run;
  return (
    <section class="query-result" aria-label="Result" aria-busy={since !== undefined}>
      <div class="query-result-head">
        <div class="query-views" role="group" aria-label="View">
          {views.map((one) => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => onView(one)}>
              {viewNames[one]}
            </button>
          ))}
        </div>
        <Figures run={run} onCancel={onCancel} />
        {result === undefined ? null : (
          <ExportMenu name={result.entity ?? "rows"} pql={query.text} isSql={query.lang === "sql"} />
        )}
      </div>
      {error === undefined ? null : (
        <div class="problem" role="alert">
          <p>{advice ?? (error.status === 0 ? "The query was not answered." : "The server refused the query.")}</p>
          {advice === error.message ? null : <pre>{withoutAdvice(error.message, advice)}</pre>}
        </div>
      )}
      {result === undefined ? null : (
        <PanelBoundary name="Result">
          <div class={since === undefined ? undefined : "dimmed"}>
            {view === "table" ? <ResultTable result={result} sort={sort} onSort={onSort} /> : null}
            {view === "json" ? <ResultJson result={result} /> : null}
            {view === "chart" ? <ResultChart result={result} /> : null}
          </div>
        </PanelBoundary>
      )}
    </section>
  );
}

/** `41 rows · 12 ms · 4 kB` */
function Figures({ run: { result, since }, onCancel }: { run: Run; onCancel: () => void }): JSX.Element {
  if (since !== undefined) return <Running since={since} onCancel={onCancel} />;
  if (result === undefined) return <span class="query-figures" />;
  const { rows, isCut, total, ms, size } = result;
  return (
    <span class="query-figures" data-rows={rows.length}>
      {isCut ? (
        <>
          first {MOST_ROWS.toLocaleString()} of {total === undefined ? "more" : total.toLocaleString()} rows; an export
          has all
        </>
      ) : (
        counted(rows.length, "row")
      )}
      {` · ${Math.round(ms).toLocaleString()} ms · ${formatBytes(size)}`}
    </span>
  );
}

function Running({ since, onCancel }: { since: number; onCancel: () => void }): JSX.Element {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, now - since) / 1000;
  return (
    <span class="query-figures">
      Running{seconds < 1 ? "" : `, ${seconds.toFixed(0)} s`}{" "}
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </span>
  );
}

/** Characters before "show all". */
const SHOWN = 50_000;

function ResultJson({ result }: { readonly result: Result }): JSX.Element {
  return (
    // Its own scroll bar has to be reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <pre class="query-json" tabIndex={0} role="region" aria-label="Result as JSON">
      <Text text={JSON.stringify(result.body, undefined, 2)} limit={SHOWN} isMultiline />
    </pre>
  );
}

/** What the server says, without its last paragraph where that is said above already. */
function withoutAdvice(message: string, advice: string | undefined): string {
  const paragraphs = message.trimEnd().split("\n\n");
  const last = paragraphs.at(-1) ?? "";
  return advice?.includes(last) === true ? paragraphs.slice(0, -1).join("\n\n") : message;
}
