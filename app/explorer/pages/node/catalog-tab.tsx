import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { changeParameters, useParameter, useText } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { filteredRows, filtersCodec, type LocalFacet } from "../facets/filters.ts";
import { Loading, Problem } from "../frame/panel.tsx";
import { SearchField } from "../list/search-field.tsx";
import { query } from "../pql/text.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { type CatalogResource, catalogResources, type EdgeRow, type ResourceRow } from "./catalog-rows.ts";
import { EventStatus } from "../report/event-status.tsx";
import { ResourcePane } from "./resource-pane.tsx";
import { isInactive, type NodeRow, ofNode } from "./use-node.ts";
import { FilterChips, LocalSidebar } from "../facets/sidebar.tsx";
import { CopyButton } from "../frame/dialog.tsx";
import { Age } from "../time/age.tsx";
import { shortFile } from "#storage/display/short-file.ts";
import { Text } from "../value/value.tsx";
import type { Column } from "../table/column.ts";
import { placeColumn, textColumn } from "../table/cells.tsx";

const none = <span class="muted">–</span>;

/** The columns of a catalog's resources. */
const catalogColumns: readonly Column<CatalogResource>[] = [
  {
    key: "name",
    title: "Resource",
    width: 210,
    grows: true,
    sort: "name",
    fixed: true,
    value: ({ name }) => name,
    text: ({ name }) => name,
    cell: ({ type, title }) => (
      <>
        {type}[<Text text={title} limit={300} />]
      </>
    ),
  },
  {
    key: "status",
    title: "Last run",
    width: 92,
    sort: "status",
    value: ({ status }) => status,
    cell: ({ status }) => (status === undefined ? none : <EventStatus status={status} isCorrective={false} />),
  },
  textColumn("class", "Class", ({ containingClass }) => containingClass, { width: 140, fits: 220 }),
  placeColumn(),
  {
    key: "exported",
    title: "Exported",
    width: 76,
    sort: "exported",
    value: ({ exported }) => exported,
    cell: ({ exported }) => (exported ? "exported" : none),
  },
  {
    key: "tags",
    title: "Tags",
    width: 150,
    text: ({ tags }) => tags.join(", "),
    cell: ({ tags }) => <Text text={tags.join(", ")} limit={300} />,
  },
];

/** The facets of a catalog's resources. */
const catalogFacets: readonly LocalFacet<CatalogResource>[] = [
  { field: "type", label: "Type", valuesOf: ({ type }) => [type] },
  { field: "status", label: "Last run", valuesOf: ({ status }) => [status ?? null], show: showStatus },
  { field: "class", label: "Class", valuesOf: ({ containingClass }) => [containingClass ?? null] },
  { field: "file", label: "File", valuesOf: ({ file }) => [file], show: showFile },
  { field: "exported", label: "Exported", valuesOf: ({ exported }) => [exported] },
];

function showStatus(value: unknown): JSX.Element | undefined {
  return typeof value === "string" ? (
    <EventStatus status={value} isCorrective={false} />
  ) : (
    <span class="muted">nothing</span>
  );
}

function showFile(value: unknown): JSX.Element | undefined {
  return typeof value === "string" ? <Text text={shortFile(value)} limit={300} /> : undefined;
}

interface CatalogRow {
  readonly version: string | null;
  readonly code_id: string | null;
  readonly catalog_uuid: string | null;
  readonly transaction_uuid: string | null;
  readonly producer: string | null;
  readonly producer_timestamp: string | null;
  readonly environment: string | null;
  readonly hash: string | null;
}

const columns: readonly (keyof CatalogRow)[] = [
  "version",
  "code_id",
  "catalog_uuid",
  "transaction_uuid",
  "producer",
  "producer_timestamp",
  "environment",
  "hash",
];

const identifiers: readonly (readonly [key: keyof CatalogRow, label: string])[] = [
  ["version", "version"],
  ["code_id", "code id"],
  ["catalog_uuid", "catalog uuid"],
  ["transaction_uuid", "transaction uuid"],
  ["hash", "hash"],
];

/** When and from what a catalog was compiled. @param where the node */
function CatalogHead({ where }: { readonly where: string }): JSX.Element | null {
  const loaded = useQuery<CatalogRow>({ name: "The catalog", pql: query("catalogs", { select: columns, where }) });
  const catalog = loaded.value?.[0];
  if (catalog === undefined) return null;
  return (
    <p class="catalog-head">
      <span>
        Compiled <Age time={catalog.producer_timestamp} />
        {catalog.producer === null ? null : (
          <>
            {" "}
            by <Text text={catalog.producer} />
          </>
        )}
        {catalog.environment === null ? null : (
          <>
            {" "}
            in <Text text={catalog.environment} />
          </>
        )}
      </span>
      {identifiers.map(([key, label]) => {
        const value = catalog[key];
        return value === null ? null : (
          <CopyButton key={key} class="plain" text={value}>
            <span class="visually-hidden">Copy the </span>
            {label}{" "}
            <span class="mono">
              <Text text={value.length > 12 ? `${value.slice(0, 8)}…` : value} />
            </span>
          </CopyButton>
        );
      })}
    </p>
  );
}

const orderCodec = sortCodec({ field: "name", descending: false });
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
  const [search, setSearch] = useText("q");
  const [sort, setSort] = useParameter("sort", orderCodec);
  const [opened] = useText("res");
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
