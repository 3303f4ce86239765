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
import { and, contains, literal, query } from "../pql/text.ts";
import { CellLink } from "../table/cell-link.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { valueText, visibleText } from "../value/text.ts";
import { Text } from "../value/value.tsx";
import { countColumn } from "./count-column.tsx";
import { counted } from "../value/counted.ts";

interface TitleRow {
  readonly title: string;
  readonly nodes: number;
}

const textCodec = text();
const order = sortCodec({ field: "nodes", descending: true });

/** Titles that are fetched at most; the search finds the others. */
const MOST = 1000;

/** The titles of one type, with the number of nodes that have them. */
export function TitleList({ type }: { readonly type: string }): JSX.Element {
  const environment = useEnvironment();
  const [needle, setNeedle] = useParameter("q", textCodec);
  const [sort, setSort] = useParameter("sort", order);
  const where = and(`type = ${literal(type)}`, inEnvironment("resources", environment), contains(needle, "title"));
  const loaded = useFacets({
    name: "Titles",
    entity: "resources",
    where,
    facets: [["title"]],
    per: "certname",
    limit: MOST,
  });
  const facet = loaded.value?.facets[0];
  const columns = useMemo(() => columnsOf(type), [type]);
  const rows = useMemo(
    () => (facet?.values ?? []).map(({ value, count }) => ({ title: valueText(value), nodes: count })),
    [facet],
  );
  const source = useMemorySource(rows, { columns, sort, loaded });
  const isCut = facet !== undefined && facet.distinct > rows.length;
  return (
    <Page
      title={visibleText(type)}
      tabTitle={`${visibleText(type)} · Resources`}
      before={<a href={href("resources")}>‹ Resources</a>}
      beside={
        facet === undefined ? null : (
          <span class="muted" role="status">
            {counted(facet.distinct, "title")} on {counted(loaded.value?.total ?? 0, "node")}
          </span>
        )
      }
      actions={
        <ExportMenu
          name="resource-titles"
          pql={query("resources", { select: ["title", "count()"], where, groupBy: ["title"] })}
        />
      }
    >
      <div class="list-filters">
        <SearchField
          label="Search titles"
          value={needle}
          onChange={(value) => setNeedle(value, { push: false })}
          isFilter
        />
        {isCut ? (
          <span class="muted">The {rows.length.toLocaleString()} on the most nodes are listed; search for others.</span>
        ) : null}
      </div>
      <div class="narrow-table">
        <DataTable
          name="Titles"
          columns={columns}
          source={facet === undefined ? { ...source, count: undefined } : source}
          sort={sort}
          onSort={setSort}
          onOpen={(row) => go(linkOf(type, row.title))}
          empty={
            <p>{needle === "" ? "No catalog has a resource of this type." : "No title of this type has this in it."}</p>
          }
        />
      </div>
    </Page>
  );
}

function columnsOf(type: string): readonly Column<TitleRow>[] {
  return [
    {
      key: "title",
      title: "Title",
      width: 400,
      grows: true,
      sort: "title",
      value: (row) => row.title,
      text: (row) => row.title,
      cell: (row) => (
        <CellLink href={linkOf(type, row.title)}>
          <Text text={row.title} limit={300} />
        </CellLink>
      ),
    },
    countColumn("nodes", "Nodes"),
  ];
}

/** Classes have their own pages. */
function linkOf(type: string, title: string): string {
  return type === "Class" ? href("classes", [], { class: title }) : href("resource", [], { type, title });
}
