import type { ComponentChildren, JSX } from "preact";
import { href } from "../address/address.ts";
import { Text } from "../value/value.tsx";
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

/** Characters of a certname that are shown before "show all". */
const SHOWN = 200;

/** The column of certnames, each a link to its node. */
export function certnameColumn<Row extends { readonly certname: string }>(): Column<Row> {
  return {
    key: "certname",
    title: "Certname",
    width: 280,
    grows: true,
    sort: "certname",
    text: (row) => row.certname,
    cell: (row) => (
      <CellLink href={href("node", [row.certname])}>
        <Text text={row.certname} limit={SHOWN} />
      </CellLink>
    ),
  };
}
