import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec, text } from "../address/codecs.ts";
import { useEnvironment } from "../address/environment.ts";
import { useFacets } from "../data/use-facets.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Page } from "../frame/page.tsx";
import { SearchField } from "../list/search-field.tsx";
import { inEnvironment } from "../pql/environment.ts";
import { query } from "../pql/text.ts";
import { CellLink } from "../table/cell-link.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { holds } from "../value/highlight.tsx";
import { valueText } from "../value/text.ts";
import { Text } from "../value/value.tsx";
import { countColumn } from "./count-column.tsx";

interface TypeRow {
  readonly type: string;
  readonly nodes: number;
  readonly resources: number;
}

const textCodec = text();
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
  const [needle, setNeedle] = useParameter("q", textCodec);
  const [sort, setSort] = useParameter("sort", order);
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
  const source = useMemorySource(rows, { columns, sort, loaded });
  return (
    <Page
      title="Resources"
      beside={
        facet === undefined ? null : (
          <span class="muted" role="status">
            {loaded.value?.total.toLocaleString()} resources of {facet.distinct.toLocaleString()} types
          </span>
        )
      }
      actions={
        <ExportMenu
          name="resource-types"
          pql={query("resources", { select: ["type", "count()"], where, groupBy: ["type"] })}
        />
      }
    >
      <div class="list-filters">
        <SearchField
          label="Search types"
          value={needle}
          onChange={(value) => setNeedle(value, { push: false })}
          isFilter
        />
      </div>
      <div class="narrow-table">
        <DataTable
          name="Types"
          columns={columns}
          source={facet === undefined ? { ...source, count: undefined } : source}
          sort={sort}
          onSort={setSort}
          onOpen={(row) => go(href("resources", [], { type: row.type }))}
          empty={<p>{needle === "" ? "No catalogs are stored." : "No type has this in its name."}</p>}
        />
      </div>
    </Page>
  );
}
