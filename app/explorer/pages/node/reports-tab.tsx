import type { JSX } from "preact";
import { useParameter } from "../address/address.ts";
import { Line } from "../charts/line.tsx";
import { about } from "../data/about.ts";
import { ExportMenu } from "../export/menu.tsx";
import { filterCondition, filtersCodec } from "../facets/filters.ts";
import { FacetSidebar, FilterChips } from "../facets/sidebar.tsx";
import { Panel } from "../frame/panel.tsx";
import { and } from "../pql/text.ts";
import { ReportColumnsButton, reportFacets, ReportTable, useReportList } from "../reports/report-table.tsx";
import { silence } from "../state/states.ts";
import { durationOf } from "../time/format.ts";
import { useRuns } from "./runs.ts";
import { isInactive, type NodeRow, ofNode } from "./use-node.ts";
import { counted } from "../value/text.ts";

/** Runs in the chart of durations. */
const CHARTED = 200;

/** All stored reports of a node, and how long its runs took. */
export function NodeReportsTab({ node }: { readonly node: NodeRow }): JSX.Element {
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const ofThis = ofNode(node.certname, { isInactive: isInactive(node) });
  const reports = useReportList({
    name: "Reports of the node",
    where: and(ofThis, filterCondition(filters, { entity: "reports", silence: silence.value })),
    isOfNode: true,
  });
  const { count } = reports.source;
  const facets = reportFacets(about.value?.features.correctiveChanges ?? false);
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
              {count === undefined ? "" : counted(count, "report")}
            </span>
            <FilterChips filters={filters} facets={facets} onFilters={setFilters} />
            <span class="tools-end">
              <ReportColumnsButton reports={reports} />
              <ExportMenu name={`reports-${node.certname}`} {...reports.exported} />
            </span>
          </div>
          <ReportTable name="Reports of the node" reports={reports} empty={<p>No report matches.</p>} />
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
