import { href } from "../address/address.ts";
import { Text } from "../value/value.tsx";
import { CellLink } from "./cell-link.tsx";
import type { Column } from "./column.ts";

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
