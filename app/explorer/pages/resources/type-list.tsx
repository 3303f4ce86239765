import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { href, useEnvironment } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { useFacets } from "../data/use-facets.ts";
import { ExportMenu } from "../export/menu.tsx";
import { ListPage, ListTable, useNeedle } from "../list/list-page.tsx";
import { inEnvironment, query } from "../pql/text.ts";
import { CellLink } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { counted, valueText } from "../value/text.ts";
import { holds, Text } from "../value/value.tsx";
import { countColumn } from "./count-column.tsx";

interface TypeRow {
  readonly type: string;
  readonly nodes: number;
  readonly resources: number;
}

const order = sortCodec({ field: "resources", descending: true });

/** Types that are fetched at most. */
const MOST = 1000;

const columns: readonly Column<TypeRow>[] = [
  {
    key: "type",
    title: "Type",
    width: 280,
    grows: true,
    sort: "type",
    value: (row) => row.type,
    text: (row) => row.type,
    cell: (row) => (
      <CellLink href={href("resources", [], { type: row.type })}>
        <Text text={row.type} limit={200} />
      </CellLink>
    ),
  },
  countColumn("nodes", "Nodes"),
  countColumn("resources", "Resources"),
];

/** All types of resources, with how many there are and on how many nodes. */
export function TypeList(): JSX.Element {
  const where = inEnvironment("resources", useEnvironment());
  const [needle] = useNeedle();
  const loaded = useFacets({
    name: "Types of resources",
    entity: "resources",
    where,
    facets: [["type"]],
    distinct: "certname",
    limit: MOST,
  });
  const facet = loaded.value?.facets[0];
  const rows = useMemo(
    () =>
      (facet?.values ?? [])
        .map(({ value, count, distinct }) => ({ type: valueText(value), resources: count, nodes: distinct ?? 0 }))
        .filter(({ type }) => holds(type, needle)),
    [facet, needle],
  );
  return (
    <ListPage
      title="Resources"
      count={
        facet === undefined
          ? undefined
          : `${counted(loaded.value?.total ?? 0, "resource")} of ${counted(facet.distinct, "type")}`
      }
      search="Search types"
      actions={
        <ExportMenu
          name="resource-types"
          pql={query("resources", { select: ["type", "count()"], where, groupBy: ["type"] })}
        />
      }
    >
      <div class="narrow-table">
        <ListTable
          name="Types"
          columns={columns}
          rows={rows}
          loaded={loaded}
          order={order}
          hrefOf={(row) => href("resources", [], { type: row.type })}
          empty={needle === "" ? "No catalogs are stored." : "No type has this in its name."}
        />
      </div>
    </ListPage>
  );
}
