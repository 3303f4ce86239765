import type { JSX } from "preact";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec, text } from "../address/codecs.ts";
import { useEnvironment } from "../address/environment.ts";
import { about } from "../data/about.ts";
import { ExportMenu } from "../export/menu.tsx";
import { FilterChips } from "../facets/chips.tsx";
import { filterCondition } from "../facets/conditions.ts";
import { filtersCodec } from "../facets/filters.ts";
import { FacetSidebar } from "../facets/sidebar.tsx";
import { Page } from "../frame/page.tsx";
import { SearchField } from "../list/search-field.tsx";
import { useShownRows } from "../list/use-shown-rows.ts";
import { Runs } from "../overview/runs.tsx";
import { inEnvironment } from "../pql/environment.ts";
import { and, escapePattern, literal, or } from "../pql/text.ts";
import { silentSince } from "../state/silent-since.ts";
import { DataTable } from "../table/data-table.tsx";
import { rowsPql, useQuerySource } from "../table/query-source.ts";
import { useTimeRange } from "../time/range.ts";
import { reportsTable } from "./columns.tsx";
import { reportFacets } from "./facets.ts";
import { type ReportsRow, reportsColumns } from "./rows.ts";
import { useEventCounts } from "./use-event-counts.ts";
import "./reports.css";

const newest = sortCodec({ field: "end_time", descending: true });
const textCodec = text();

/** What ran? All runs of the time range, with facets. */
export default function ReportsPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [needle, setNeedle] = useParameter("q", textCodec);
  const [sort, setSort] = useParameter("sort", newest);
  const searched = searchCondition(needle);
  const ofPage = and(
    `producer_timestamp >= ${literal(range.from)}`,
    `producer_timestamp <= ${literal(range.to)}`,
    inEnvironment("reports", environment),
    searched,
  );
  const chosen = filterCondition(filters, { entity: "reports", silentSince: silentSince.value });
  const rows = {
    name: "Reports",
    entity: "reports",
    select: reportsColumns,
    where: and(ofPage, chosen),
    // The hash makes the order unique.
    orderBy: [`${sort.field} ${sort.descending ? "desc" : "asc"}`, "hash"],
  };
  const { source, shown } = useShownRows(useQuerySource<ReportsRow>(rows));
  const counts = useEventCounts(shown);
  const facets = reportFacets(about.value?.features.correctiveChanges ?? false);
  return (
    <Page
      title="Reports"
      beside={
        <span class="muted" role="status">
          {source.count === undefined ? "" : `${source.count.toLocaleString()} in the ${range.label}`}
        </span>
      }
      actions={<ExportMenu name="reports" pql={rowsPql(rows)} />}
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
          <DataTable
            name="Reports"
            columns={reportsTable(counts)}
            source={source}
            sort={sort}
            onSort={setSort}
            onOpen={(row) => go(href("report", [row.hash]))}
            empty={<p>No report matches. Choose a longer time range, or remove a filter.</p>}
          />
        </div>
      </div>
    </Page>
  );
}

/** Reports whose certname, configuration version or agent's version has a text in it. */
function searchCondition(needle: string): string | undefined {
  if (needle === "") return undefined;
  const pattern = literal(`(?i)${escapePattern(needle)}`);
  return or(`certname ~ ${pattern}`, `configuration_version ~ ${pattern}`, `puppet_version ~ ${pattern}`);
}
