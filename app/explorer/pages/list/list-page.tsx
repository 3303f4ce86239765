import type { ComponentChildren, JSX } from "preact";
import { go, useParameter, useText } from "../address/address.ts";
import type { Codec, Sort } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import { Page, type PageProps } from "../frame/page.tsx";
import type { Column, RowSource } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { SearchField } from "./search-field.tsx";
import { useState } from "preact/hooks";

/** What a list is searched for, and how it is changed; in the address. */
export function useNeedle(): readonly [needle: string, change: (needle: string) => void] {
  const [needle, setNeedle] = useText("q");
  return [needle, (value) => setNeedle(value, { push: false })];
}

export interface ListPageProps extends Omit<PageProps, "beside"> {
  /** How many things are listed: "12 packages"; undefined: it is not known yet. */
  readonly count: string | undefined;
  /** What the search is for: "Search packages". */
  readonly search: string;
  /** The sidebar. */
  readonly facets?: ComponentChildren;
  /** Between the heading and the search: a chart. */
  readonly above?: ComponentChildren;
  /** Before the search: other choices. */
  readonly choices?: ComponentChildren;
  /** After the search: chips, notes. */
  readonly filters?: ComponentChildren;
}

/** A page with a list: how many there are, a search, facets at the side. */
export function ListPage(props: ListPageProps): JSX.Element {
  const { count, search, facets, above, choices, filters, children, ...page } = props;
  const [needle, setNeedle] = useNeedle();
  const main = (
    <>
      {above}
      <div class="list-filters">
        {choices}
        <SearchField label={search} value={needle} onChange={setNeedle} isFilter />
        {filters}
      </div>
      {children}
    </>
  );
  return (
    <Page
      {...page}
      beside={
        <span class="muted" role="status">
          {count}
        </span>
      }
    >
      {facets === undefined ? (
        main
      ) : (
        <div class="with-facets">
          {facets}
          <div class="list-main">{main}</div>
        </div>
      )}
    </Page>
  );
}

/** Says that not all are listed. @param distinct how many there are */
export function CutNote({
  distinct = 0,
  rows,
}: {
  readonly distinct: number | undefined;
  readonly rows: number;
}): JSX.Element | null {
  if (distinct <= rows) return null;
  return <span class="muted">The {rows.toLocaleString()} on the most nodes are listed; search for others.</span>;
}

export interface ListTableProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Where the rows come from. */
  readonly loaded: Loaded<unknown>;
  /** The order, in the address. */
  readonly order: Codec<Sort>;
  /** The page of a row. */
  readonly hrefOf: (row: Row) => string;
  readonly empty: string;
}

/** A table of rows that are in the browser, each of which leads to its page. */
export function ListTable<Row>({
  name,
  columns,
  rows,
  loaded,
  order,
  hrefOf,
  empty,
}: ListTableProps<Row>): JSX.Element {
  const [sort, setSort] = useParameter("sort", order);
  const source = useMemorySource(rows, { columns, sort, loaded });
  return (
    <DataTable
      name={name}
      columns={columns}
      source={source}
      sort={sort}
      onSort={setSort}
      onOpen={(row) => go(hrefOf(row))}
      empty={<p>{empty}</p>}
    />
  );
}

/** Rows that are looked at together. */
const CHUNK = 100;

/** A source that says which of its rows are seen, so that more can be fetched about them. */
export interface ShownRows<Row> {
  /** To be given to the table instead of the original. */
  readonly source: RowSource<Row>;
  /** The rows that are seen, and some around them. */
  readonly shown: readonly Row[];
}

/** Follows which rows of a source are seen, in steps of 100 rows. */
export function useShownRows<Row>(source: RowSource<Row>): ShownRows<Row> {
  const [seen, setSeen] = useState({ first: 0, end: CHUNK });
  const shown: Row[] = [];
  for (let index = seen.first; index < Math.min(seen.end, source.count ?? 0); index += 1) {
    const row = source.row(index);
    if (row !== undefined) shown.push(row);
  }
  const show = (first: number, last: number): void => {
    source.show(first, last);
    const from = Math.floor(first / CHUNK) * CHUNK;
    const end = (Math.floor(last / CHUNK) + 1) * CHUNK;
    if (from !== seen.first || end !== seen.end) setSeen({ first: from, end });
  };
  return { source: { ...source, show }, shown };
}
