import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Facet } from "#storage/query/facets/answer.ts";
import { changeParameters, go, href, useEnvironment, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { useFacets, useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { filterCondition, filtersCodec } from "../facets/filters.ts";
import { Panel } from "../frame/panel.tsx";
import { countedLabel, type Tab } from "../frame/tabs.tsx";
import { useShownRows } from "../list/list-page.tsx";
import { and, field, inEnvironment, literal, query } from "../pql/text.ts";
import { useStateColumn } from "../state/node-states.tsx";
import { silence } from "../state/states.ts";
import { certnameColumn, placeColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { rowsPql, useQuerySource } from "../table/query-source.ts";
import { compactJson, type ResourceRef, visibleText } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";
import { ParameterSpread } from "./parameter-spread.tsx";
import { parameterNames, resourceColumns, type ResourceRow, spreadsOf } from "./spread.ts";
import { FilterChips } from "../facets/sidebar.tsx";

/** Names shown at most. */
const MOST_EXPORTERS = 5;

interface ExportedByProps {
  /** The condition that selects the resource. */
  readonly where: string | undefined;
  /** How many nodes export it; without it nothing is fetched. */
  readonly exported: Facet | undefined;
}

/** Which nodes export a resource and how many collect it; nothing when nobody exports it. */
function ExportedBy({ where, exported }: ExportedByProps): JSX.Element | null {
  const count = exported?.values.find(({ value }) => value === true)?.count ?? 0;
  const loaded = useQuery<{ certname: string }>(
    count > 0
      ? {
          name: "Nodes that export the resource",
          pql: query("resources", {
            select: ["certname"],
            where: and(where, "exported = true"),
            orderBy: ["certname"],
            limit: MOST_EXPORTERS,
          }),
        }
      : undefined,
  );
  const exporters = loaded.value ?? [];
  if (exporters.length === 0) return null;
  const more = count - exporters.length;
  return (
    <p>
      Exported by{" "}
      {exporters.map(({ certname }, index) => (
        <span key={certname}>
          {index === 0 ? "" : ", "}
          <a href={href("node", [certname])}>
            <bdi>{marked(certname)}</bdi>
          </a>
        </span>
      ))}
      {more > 0 ? ` and ${more.toLocaleString()} others` : ""}; the other nodes collect it.
    </p>
  );
}

/** Parameters whose values are counted: one request has 32 facets at most, and one of them says who exports. */
const MOST_PARAMETERS = 31;
/** Parameters with different values that the table shows. */
const MOST_COLUMNS = 8;

const order = sortCodec({ field: "certname", descending: false });

export interface ResourceUse {
  /** Who exports the resource. */
  readonly exporters: JSX.Element;
  /** How the values of its parameters are spread, and the nodes that have it. */
  readonly tabs: readonly Tab[];
}

/** The nodes that have a resource, with its parameters and how their values are spread. */
export function useResource(resource: ResourceRef): ResourceUse {
  const environment = useEnvironment();
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [sort, setSort] = useParameter("sort", order);
  const ofResource = and(
    `type = ${literal(resource.type)}`,
    `title = ${literal(resource.title)}`,
    inEnvironment("resources", environment),
  );
  const rows = {
    name: "Nodes with the resource",
    entity: "resources",
    select: resourceColumns,
    where: and(ofResource, filterCondition(filters, { entity: "resources", silence: silence.value })),
    orderBy: [`${sort.field} ${sort.descending ? "desc" : "asc"}`, ...(sort.field === "certname" ? [] : ["certname"])],
  };
  const { source, shown } = useShownRows(useQuerySource<ResourceRow>(rows));
  const state = useStateColumn<ResourceRow>(shown.map(({ certname }) => certname));
  // Filters do not change which parameters there are.
  const found = parameterNames(source.value ?? []).join("\n");
  const names = useMemo(() => (found === "" ? [] : found.split("\n").slice(0, MOST_PARAMETERS)), [found]);
  const loaded = useFacets(
    source.value === undefined
      ? undefined
      : {
          name: "Values of the parameters",
          entity: "resources",
          where: ofResource,
          facets: [["exported"], ...names.map((name) => [field(["parameters", name])])],
          limit: 8,
        },
  );
  const spreads = useMemo(() => spreadsOf(names, loaded.value?.facets.slice(1) ?? []), [names, loaded.value]);
  const exported = loaded.value?.facets[0];
  const columns = [
    certnameColumn<ResourceRow>(),
    state,
    textColumn<ResourceRow>("environment", "Environment", ({ environment }) => environment, { width: 116 }),
    ...spreads.different.slice(0, MOST_COLUMNS).map(({ parameter }) => parameterColumn(parameter)),
    ...(exported?.values.some(({ value }) => value === true) === true ? [exportedColumn] : []),
    placeColumn(),
  ];
  const shownParameters = (
    <ParameterSpread
      resource={resource}
      loaded={loaded}
      spreads={spreads}
      total={loaded.value?.total ?? 0}
      filters={filters}
      onFilters={(chosen) => changeParameters({ f: filtersCodec.write(chosen), tab: "nodes" })}
      hasNone={source.value !== undefined && names.length === 0}
    />
  );
  const shownNodes = (
    <Panel title="Nodes" actions={<ExportMenu name="resource-on-nodes" pql={rowsPql(rows)} />}>
      <FilterChips filters={filters} facets={[]} onFilters={setFilters} />
      <DataTable
        name="Nodes with the resource"
        columns={columns}
        source={source}
        sort={sort}
        onSort={setSort}
        onOpen={(row) => go(href("node", [row.certname, "catalog"]))}
        empty={<p>{filters.length === 0 ? "No catalog has this resource." : "No node has these values."}</p>}
      />
    </Panel>
  );
  const nodes = { key: "nodes", label: countedLabel("Nodes", source.count), content: shownNodes };
  const hasFailed = source.error !== undefined && source.value === undefined;
  return {
    exporters: <ExportedBy where={ofResource} exported={exported} />,
    tabs: hasFailed ? [nodes] : [{ key: "parameters", label: "Parameters", content: shownParameters }, nodes],
  };
}

/** Characters in a cell. */
const SHOWN = 200;

const exportedColumn: Column<ResourceRow> = {
  key: "exported",
  title: "Exported",
  width: 90,
  sort: "exported",
  cell: (row) => (row.exported ? "exported" : <span class="muted">–</span>),
};

function parameterColumn(name: string): Column<ResourceRow> {
  return {
    key: `parameters.${name}`,
    title: visibleText(name.slice(0, SHOWN)),
    width: 120,
    fits: 260,
    text: (row) => {
      const value = row.parameters?.[name];
      return value === undefined ? undefined : compactJson(value, SHOWN);
    },
    cell: (row) => <Value value={row.parameters?.[name]} limit={SHOWN} />,
  };
}
