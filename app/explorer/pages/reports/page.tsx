import type { JSX } from "preact";
import { href, useEnvironment, useParameter } from "../address/address.ts";
import { about } from "../data/about.ts";
import { ExportMenu } from "../export/menu.tsx";
import { filterCondition, filtersCodec } from "../facets/filters.ts";
import { FacetSidebar, FilterChips } from "../facets/sidebar.tsx";
import { ListPage, useNeedle } from "../list/list-page.tsx";
import { Runs } from "../overview/runs.tsx";
import { and, contains, inEnvironment, literal } from "../pql/text.ts";
import { silence } from "../state/states.ts";
import { useTimeRange } from "../time/range.ts";
import { ReportColumnsButton, reportFacets, ReportTable, useReportList } from "./report-table.tsx";

/** What ran? All runs of the time range, with facets. */
export default function ReportsPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [needle] = useNeedle();
  const searched = contains(needle, "certname", "configuration_version", "puppet_version");
  const ofPage = and(
    `producer_timestamp >= ${literal(range.from)}`,
    `producer_timestamp <= ${literal(range.to)}`,
    inEnvironment("reports", environment),
    searched,
  );
  const chosen = filterCondition(filters, { entity: "reports", silence: silence.value });
  const reports = useReportList({ name: "Reports", where: and(ofPage, chosen), isOfNode: false });
  const { count } = reports.source;
  const facets = reportFacets(about.value?.features.correctiveChanges ?? false);
  return (
    <ListPage
      title="Reports"
      count={count === undefined ? undefined : `${count.toLocaleString()} in the ${range.label}`}
      search="Certname or version"
      facets={
        <FacetSidebar
          name="Reports"
          entity="reports"
          where={ofPage}
          facets={facets}
          filters={filters}
          onFilters={setFilters}
        />
      }
      above={<Runs environment={environment} range={range} where={and(searched, chosen)} height={110} />}
      filters={<FilterChips filters={filters} facets={facets} onFilters={setFilters} />}
      actions={
        <>
          <a href={href("runs")}>Runs by node</a>
          <a href={href("run-times")}>Run times</a>
          <ReportColumnsButton reports={reports} />
          <ExportMenu name="reports" {...reports.exported} />
        </>
      }
    >
      <ReportTable
        name="Reports"
        reports={reports}
        empty={<p>No report matches. Choose a longer time range, or remove a filter.</p>}
      />
    </ListPage>
  );
}
