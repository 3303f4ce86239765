import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { href, useEnvironment } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { useFacets } from "../data/use-facets.ts";
import { ExportMenu } from "../export/menu.tsx";
import { CutNote, ListPage, ListTable, useNeedle } from "../list/list-page.tsx";
import { and, contains, inEnvironment, literal, query } from "../pql/text.ts";
import { CellLink } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { counted, valueText, visibleText } from "../value/text.ts";
import { Text } from "../value/value.tsx";
import { countColumn } from "./count-column.tsx";

interface TitleRow {
  readonly title: string;
  readonly nodes: number;
}

const order = sortCodec({ field: "nodes", descending: true });

/** Titles that are fetched at most; the search finds the others. */
const MOST = 1000;

/** The titles of one type, with the number of nodes that have them. */
export function TitleList({ type }: { readonly type: string }): JSX.Element {
  const environment = useEnvironment();
  const [needle] = useNeedle();
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
  return (
    <ListPage
      title={visibleText(type)}
      tabTitle={`${visibleText(type)} · Resources`}
      before={<a href={href("resources")}>‹ Resources</a>}
      count={
        facet === undefined
          ? undefined
          : `${counted(facet.distinct, "title")} on ${counted(loaded.value?.total ?? 0, "node")}`
      }
      search="Search titles"
      filters={<CutNote distinct={facet?.distinct} rows={rows.length} />}
      actions={
        <ExportMenu
          name="resource-titles"
          pql={query("resources", { select: ["title", "count()"], where, groupBy: ["title"] })}
        />
      }
    >
      <div class="narrow-table">
        <ListTable
          name="Titles"
          columns={columns}
          rows={rows}
          loaded={loaded}
          order={order}
          hrefOf={(row) => linkOf(type, row.title)}
          empty={needle === "" ? "No catalog has a resource of this type." : "No title of this type has this in it."}
        />
      </div>
    </ListPage>
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
