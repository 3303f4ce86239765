import type { JSX } from "preact";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { Line } from "../charts/line.tsx";
import { about } from "../data/about.ts";
import { ExportMenu } from "../export/menu.tsx";
import { FilterChips } from "../facets/chips.tsx";
import { filterCondition } from "../facets/conditions.ts";
import { filtersCodec } from "../facets/filters.ts";
import { FacetSidebar } from "../facets/sidebar.tsx";
import { Panel } from "../frame/panel.tsx";
import type { NodeRow } from "../nodes/node-row.ts";
import { and } from "../pql/text.ts";
import { reportsTable } from "../reports/columns.tsx";
import { reportFacets } from "../reports/facets.ts";
import { reportsColumns, type ReportsRow } from "../reports/rows.ts";
import { useEventCounts } from "../reports/use-event-counts.ts";
import { silentSince } from "../state/silent-since.ts";
import { DataTable } from "../table/data-table.tsx";
import { rowsPql, useQuerySource } from "../table/query-source.ts";
import { useShownRows } from "../list/use-shown-rows.ts";
import { durationOf } from "./run-times.ts";
import { useRuns } from "./runs.ts";
import { isInactive, ofNode } from "./use-node.ts";

const newest = sortCodec({ field: "end_time", descending: true });
/** Runs in the chart of durations. */
const CHARTED = 200;

/** All stored reports of a node, and how long its runs took. */
export default function NodeReportsTab({ node }: { readonly node: NodeRow }): JSX.Element {
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [sort, setSort] = useParameter("sort", newest);
  const ofThis = ofNode(node.certname, { isInactive: isInactive(node) });
  const rows = {
    name: "Reports of the node",
    entity: "reports",
    select: reportsColumns,
    where: and(ofThis, filterCondition(filters, { entity: "reports", silentSince: silentSince.value })),
    orderBy: [`${sort.field} ${sort.descending ? "desc" : "asc"}`, "hash"],
  };
  const { source, shown } = useShownRows(useQuerySource<ReportsRow>(rows));
  const counts = useEventCounts(shown);
  const facets = reportFacets(about.value?.features.correctiveChanges ?? false);
  const columns = reportsTable(counts).filter(({ key }) => key !== "certname");
  return (
    <>
      <Durations node={node} />
      <div class="with-facets">
        <FacetSidebar
          name="Reports of the node"
          entity="reports"
          where={ofThis}
          facets={facets}
          filters={filters}
          onFilters={setFilters}
        />
        <div class="node-reports">
          <div class="facts-tools">
            <span class="muted" role="status">
              {source.count === undefined ? "" : `${source.count.toLocaleString()} reports`}
            </span>
            <FilterChips filters={filters} facets={facets} onFilters={setFilters} />
            <span class="tools-end">
              <ExportMenu name={`reports-${node.certname}`} pql={rowsPql(rows)} />
            </span>
          </div>
          <DataTable
            name="Reports of the node"
            columns={columns}
            source={source}
            sort={sort}
            onSort={setSort}
            onOpen={(row) => go(href("report", [row.hash]))}
            empty={<p>No report matches.</p>}
          />
        </div>
      </div>
    </>
  );
}

/** Short enough for an axis: `40 s`, `12 min`, `3 h`. */
function axisDuration(seconds: number): string {
  if (seconds < 180) return `${Math.round(seconds)} s`;
  return seconds < 10_800 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function Durations({ node }: { readonly node: NodeRow }): JSX.Element | null {
  const loaded = useRuns(node, CHARTED);
  const points = [...(loaded.value ?? [])].reverse().flatMap((run) => {
    const seconds = durationOf(run);
    return seconds === undefined || run.end_time === null ? [] : [[Date.parse(run.end_time), seconds] as const];
  });
  return (
    <Panel
      title="Duration of the runs"
      loaded={loaded}
      height={150}
      empty={points.length < 2 ? <p class="muted">A line needs two runs at least.</p> : undefined}
    >
      <Line
        label="Duration of the runs"
        series={[{ key: "duration", label: "duration", token: "value" }]}
        points={points}
        x="time"
        format={axisDuration}
        height={120}
      />
    </Panel>
  );
}
