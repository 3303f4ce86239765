import type { JSX } from "preact";
import { href, useEnvironment, useText } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { useMemo } from "preact/hooks";
import { ExportMenu } from "../export/menu.tsx";
import { CutNote, ListPage, ListTable, useNeedle } from "../list/list-page.tsx";
import { and, contains, inEnvironment, literal, query } from "../pql/text.ts";
import { countColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { counted, valueText, visibleText } from "../value/text.ts";
import { holds } from "../value/value.tsx";
import { useFacets } from "../data/use-query.ts";

interface TitleRow {
  readonly title: string;
  readonly nodes: number;
}

const titleOrder = sortCodec({ field: "nodes", descending: true });

/** Titles that are fetched at most; the search finds the others. */
const MOST_TITLES = 1000;

/** The titles of one type, with the number of nodes that have them. */
function TitleList({ type }: { readonly type: string }): JSX.Element {
  const environment = useEnvironment();
  const [needle] = useNeedle();
  const where = and(`type = ${literal(type)}`, inEnvironment("resources", environment), contains(needle, "title"));
  const loaded = useFacets({
    name: "Titles",
    entity: "resources",
    where,
    facets: [["title"]],
    per: "certname",
    limit: MOST_TITLES,
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
          order={titleOrder}
          hrefOf={(row) => linkOf(type, row.title)}
          empty={needle === "" ? "No catalog has a resource of this type." : "No title of this type has this in it."}
        />
      </div>
    </ListPage>
  );
}

function columnsOf(type: string): readonly Column<TitleRow>[] {
  return [
    textColumn("title", "Title", ({ title }) => title, {
      width: 160,
      grows: true,
      hrefOf: ({ title }) => linkOf(type, title),
    }),
    countColumn("nodes", "Nodes", ({ nodes }) => nodes),
  ];
}

/** Classes have their own pages. */
function linkOf(type: string, title: string): string {
  return type === "Class" ? href("classes", [], { class: title }) : href("resource", [], { type, title });
}

interface TypeRow {
  readonly type: string;
  readonly nodes: number;
  readonly resources: number;
}

const order = sortCodec({ field: "resources", descending: true });

/** Types that are fetched at most. */
const MOST = 1000;

const columns: readonly Column<TypeRow>[] = [
  textColumn("type", "Type", ({ type }) => type, {
    width: 160,
    grows: true,
    hrefOf: ({ type }) => href("resources", [], { type }),
  }),
  countColumn("nodes", "Nodes", ({ nodes }) => nodes),
  countColumn("resources", "Resources", ({ resources }) => resources),
];

/** All types of resources, with how many there are and on how many nodes. */
function TypeList(): JSX.Element {
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

/** Where is this used? The types of resources; of a type its titles. */
export default function ResourcesPage(): JSX.Element {
  const [type] = useText("type");
  return type === "" ? <TypeList /> : <TitleList key={type} type={type} />;
}
