import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { changeParameters, useParameter } from "../address/address.ts";
import { sort as sortCodec, text } from "../address/codecs.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { FilterChips } from "../facets/chips.tsx";
import { filteredRows, filtersCodec } from "../facets/filters.ts";
import { LocalSidebar } from "../facets/local-sidebar.tsx";
import { Loading, Problem } from "../frame/panel.tsx";
import { SearchField } from "../list/search-field.tsx";
import type { NodeRow } from "../nodes/node-row.ts";
import { query } from "../pql/text.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { catalogColumns, catalogFacets } from "./catalog-columns.tsx";
import { CatalogHead } from "./catalog-head.tsx";
import { catalogResources, type EdgeRow, type ResourceRow } from "./catalog-rows.ts";
import { ResourcePane } from "./resource-pane.tsx";
import { isInactive, ofNode } from "./use-node.ts";

const orderCodec = sortCodec({ field: "name", descending: false });
const textCodec = text();

/** The resources of a node's catalog, and the details of one. */
export function CatalogTab({ node }: { readonly node: NodeRow }): JSX.Element {
  const where = ofNode(node.certname, { isInactive: isInactive(node) });
  const select = ["type", "title", "file", "line", "tags", "exported"];
  const pql = query("resources", { select, where, orderBy: ["type", "title"] });
  const resources = useQuery<ResourceRow>({ name: "Resources of the catalog", pql });
  const edges = useQuery<EdgeRow>({
    name: "Edges of the catalog",
    pql: query("edges", {
      select: ["relationship", "source_type", "source_title", "target_type", "target_title"],
      where,
    }),
  });
  const events = useQuery<{ resource_type: string; resource_title: string; status: string }>({
    name: "What the last run did",
    pql: query("events", {
      select: ["resource_type", "resource_title", "status"],
      where: `${where} and latest_report? = true`,
    }),
  });
  const all = useMemo(
    () => catalogResources(resources.value ?? [], edges.value ?? [], events.value ?? []),
    [resources.value, edges.value, events.value],
  );
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [search, setSearch] = useParameter("q", textCodec);
  const [sort, setSort] = useParameter("sort", orderCodec);
  const [opened] = useParameter("res", textCodec);
  const needle = search.trim().toLowerCase();
  const shown = useMemo(() => {
    const found = needle === "" ? all : all.filter(({ name }) => name.toLowerCase().includes(needle));
    return filteredRows(found, catalogFacets, filters);
  }, [all, filters, needle]);
  const source = useMemorySource(shown, { columns: catalogColumns, sort, loaded: resources });
  const resource = all.find(({ name }) => name === opened);
  const open = (name: string | undefined): void => changeParameters({ res: name });
  if (resources.value === undefined) {
    return resources.error === undefined ? <Loading loaded={resources} height={400} /> : <Problem loaded={resources} />;
  }
  if (resources.value.length === 0) return <p>No catalog of this node is stored.</p>;
  return (
    <>
      <CatalogHead where={where} />
      <div class="with-facets">
        <LocalSidebar rows={all} facets={catalogFacets} filters={filters} onFilters={setFilters} />
        <div class="catalog">
          <div class="facts-tools">
            <SearchField
              label="Search type or title"
              value={search}
              onChange={(value) => setSearch(value, { push: false })}
              isFilter
            />
            <span class="muted" role="status">
              {shown.length === all.length ? "" : `${shown.length.toLocaleString()} of `}
              {all.length.toLocaleString()} resources
            </span>
            <span class="tools-end">
              <ExportMenu name={`resources-${node.certname}`} pql={pql} />
            </span>
          </div>
          <FilterChips filters={filters} facets={catalogFacets} onFilters={setFilters} />
          {[edges, events].map((loaded, at) =>
            // The two never change their places.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            loaded.error === undefined ? null : <Problem key={at} loaded={loaded} />,
          )}
          <div class={resource === undefined ? undefined : "catalog-with-pane"}>
            <DataTable
              name="Resources of the catalog"
              columns={catalogColumns}
              source={source}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => open(row.name === opened ? undefined : row.name)}
              isOpen={(row) => row.name === opened}
              empty={<p>No resource matches.</p>}
            />
            {resource === undefined ? null : (
              <ResourcePane
                key={resource.name}
                resource={resource}
                edges={edges.value ?? []}
                certname={node.certname}
                where={where}
                onOpen={open}
              />
            )}
          </div>
        </div>
      </div>
    </>
  );
}
