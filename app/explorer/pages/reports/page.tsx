import type { JSX } from "preact";
import { href, useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { useEnvironment } from "../address/environment.ts";
import { about } from "../data/about.ts";
import { ExportMenu } from "../export/menu.tsx";
import { FilterChips } from "../facets/chips.tsx";
import { filterCondition } from "../facets/conditions.ts";
import { filtersCodec } from "../facets/filters.ts";
import { FacetSidebar } from "../facets/sidebar.tsx";
import { Page } from "../frame/page.tsx";
import { SearchField } from "../list/search-field.tsx";
import { Runs } from "../overview/runs.tsx";
import { inEnvironment } from "../pql/environment.ts";
import { and, contains, literal } from "../pql/text.ts";
import { silentSince } from "../state/silent-since.ts";
import { useTimeRange } from "../time/range.ts";
import { reportFacets } from "./facets.ts";
import { ReportColumnsButton, ReportTable } from "./report-table.tsx";
import { useReportList } from "./use-report-list.ts";

const textCodec = text();

/** What ran? All runs of the time range, with facets. */
export default function ReportsPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [needle, setNeedle] = useParameter("q", textCodec);
  const searched = contains(needle, "certname", "configuration_version", "puppet_version");
  const ofPage = and(
    `producer_timestamp >= ${literal(range.from)}`,
    `producer_timestamp <= ${literal(range.to)}`,
    inEnvironment("reports", environment),
    searched,
  );
  const chosen = filterCondition(filters, { entity: "reports", silentSince: silentSince.value });
  const reports = useReportList({ name: "Reports", where: and(ofPage, chosen), isOfNode: false });
  const { count } = reports.source;
  const facets = reportFacets(about.value?.features.correctiveChanges ?? false);
  return (
    <Page
      title="Reports"
      beside={
        <span class="muted" role="status">
          {count === undefined ? "" : `${count.toLocaleString()} in the ${range.label}`}
        </span>
      }
      actions={
        <>
          <a href={href("runs")}>Runs by node</a>
          <ReportColumnsButton reports={reports} />
          <ExportMenu name="reports" pql={reports.pql} />
        </>
      }
    >
      <div class="with-facets">
        <FacetSidebar
          name="Reports"
          entity="reports"
          where={ofPage}
          facets={facets}
          filters={filters}
          onFilters={setFilters}
        />
        <div class="reports-main">
          <Runs environment={environment} range={range} where={and(searched, chosen)} height={110} />
          <div class="reports-filters">
            <SearchField
              label="Certname or version"
              value={needle}
              onChange={(value) => setNeedle(value, { push: false })}
              isFilter
            />
            <FilterChips filters={filters} facets={facets} onFilters={setFilters} />
          </div>
          <ReportTable
            name="Reports"
            reports={reports}
            empty={<p>No report matches. Choose a longer time range, or remove a filter.</p>}
          />
        </div>
      </div>
    </Page>
  );
}
