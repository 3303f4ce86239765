import type { ComponentChildren, JSX } from "preact";
import { href } from "../address/address.ts";
import { nameText, visibleText } from "../value/text.ts";
import { Place, type PlaceProps, placeText } from "../value/resource-link.tsx";
import { marked, Text } from "../value/value.tsx";
import type { Column } from "./column.ts";

/** A link in a cell. Keys reach it through the grid: Enter opens it. */
export function CellLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <a href={href} tabIndex={-1}>
      {children}
    </a>
  );
}

export interface CountCellProps {
  /** Undefined while it is on its way. */
  readonly count: number | undefined;
  /** Whether any is a failure. */
  readonly isFailure?: boolean;
}

/** A count in a table: none is quiet, a failure is not. */
export function CountCell({ count, isFailure = false }: CountCellProps): JSX.Element {
  if (count === undefined) return <span class="table-waiting" />;
  if (count === 0) return <span class="muted">–</span>;
  const text = count.toLocaleString();
  return isFailure ? <strong class="state-failed">{text}</strong> : <>{text}</>;
}

/** Characters at the end of a name that are always seen. */
const END = 10;

/** A name that is cut in the middle where the cell is too narrow for it: names of one fleet differ at both ends. */
export function Name({ name }: { readonly name: string }): JSX.Element {
  const text = visibleText(nameText(name));
  const lastPart = text.slice(text.lastIndexOf("."));
  const end = lastPart.length <= END && lastPart !== text ? lastPart : text.slice(-END).replace(/^[\uDC00-\uDFFF]/, "");
  return (
    <bdi class="name">
      <span class="name-whole">{marked(nameText(name))}</span>
      <span class="name-short" aria-hidden="true" data-start={text.slice(0, text.length - end.length)} data-end={end} />
    </bdi>
  );
}

/** Characters of a text in a cell. */
const CELL = 200;

/** A column of texts. @param more other properties; `hrefOf`: where each leads */
export function textColumn<Row>(
  key: string,
  title: string,
  textOf: (row: Row) => string | null | undefined,
  { hrefOf, ...more }: Partial<Column<Row>> & { readonly hrefOf?: (row: Row) => string } = {},
): Column<Row> {
  return {
    key,
    title,
    sort: key,
    value: textOf,
    text: (row) => textOf(row) ?? undefined,
    cell: (row) => {
      const text = textOf(row) ?? undefined;
      if (text === undefined) return <span class="muted">–</span>;
      const shown = <Text text={text} limit={CELL} />;
      return hrefOf === undefined ? shown : <CellLink href={hrefOf(row)}>{shown}</CellLink>;
    },
    ...more,
  };
}

/** A column of counts; undefined while one is on its way. @param more other properties; `isFailure`: any is a failure */
export function countColumn<Row>(
  key: string,
  title: string,
  countOf: (row: Row) => number | undefined,
  { isFailure = false, ...more }: Partial<Column<Row>> & { readonly isFailure?: boolean } = {},
): Column<Row> {
  return {
    key,
    title,
    width: 92,
    align: "end",
    sort: key,
    value: countOf,
    cell: (row) => <CountCell count={countOf(row)} isFailure={isFailure} />,
    ...more,
  };
}

/** The column of lines of code. */
export function placeColumn<Row extends PlaceProps>(): Column<Row> {
  return {
    key: "file",
    title: "Place",
    width: 130,
    fits: 280,
    sort: "file",
    value: placeText,
    text: placeText,
    cell: (row) => <Place file={row.file} line={row.line} />,
  };
}

/** The column of certnames. @param hrefOf where each leads; default: to its node */
export function certnameColumn<Row extends { readonly certname: string }>(
  hrefOf = (row: Row): string => href("node", [row.certname]),
): Column<Row> {
  return {
    key: "certname",
    title: "Certname",
    width: 170,
    grows: true,
    sort: "certname",
    value: (row) => row.certname,
    text: (row) => row.certname,
    cell: (row) => (
      <CellLink href={hrefOf(row)}>
        <Name name={row.certname} />
      </CellLink>
    ),
  };
}
