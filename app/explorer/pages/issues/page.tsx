import { type Issue, issueOrders } from "#storage/issues/issue.ts";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useEnvironment, useParameter, useText } from "../address/address.ts";
import { oneOf } from "../address/codecs.ts";
import { ExportMenu } from "../export/menu.tsx";
import { filteredRows, filtersCodec, type LocalFacet } from "../facets/filters.ts";
import { Page } from "../frame/page.tsx";
import { Loading, Problem } from "../frame/panel.tsx";
import { useGrowing } from "../list/growing.tsx";
import { SearchField } from "../list/search-field.tsx";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import { useTimeRange } from "../time/range.ts";
import type { TimeRange } from "../time/format.ts";
import { orderLabels, searchedIssues, sortedIssues } from "./order.ts";
import { useIssues } from "../data/use-query.ts";
import { FilterChips, LocalSidebar } from "../facets/sidebar.tsx";
import { IssueItem, IssueKind, issueKinds, IssueStateBadge, issueStateLabels } from "./subject.tsx";

const states = Object.keys(issueStateLabels) as Issue["state"][];
const kinds = Object.keys(issueKinds) as Issue["kind"][];

/** The facets of the list of issues. */
const issueFacets: readonly LocalFacet<Issue>[] = [
  {
    field: "state",
    label: "State",
    valuesOf: ({ state }) => [state],
    show: (value) => {
      const state = states.find((one) => one === value);
      return state === undefined ? undefined : <IssueStateBadge state={state} />;
    },
  },
  {
    field: "kind",
    label: "Kind",
    valuesOf: ({ kind }) => [kind],
    show: (value) => {
      const kind = kinds.find((one) => one === value);
      return kind === undefined ? undefined : <IssueKind kind={kind} />;
    },
  },
  { field: "type", label: "Resource type", valuesOf: ({ type }) => [type] },
  { field: "class", label: "Class", valuesOf: ({ class: name }) => [name] },
  { field: "environment", label: "Environment", valuesOf: ({ environments }) => environments },
];

/** Issues that are fetched at most. */
const MOST = 1000;

const orderCodec = oneOf(issueOrders, "still");

/** What is wrong, how far does it reach, since when? */
export default function IssuesPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [needle, setNeedle] = useText("q");
  const [order, setOrder] = useParameter("sort", orderCodec);
  const [common, setCommon] = useText("common");
  const loaded = useIssues({
    name: "Issues",
    range,
    environment,
    common: common === "" ? undefined : common,
    limit: MOST,
  });
  const { issues = [], total = 0 } = loaded.value ?? {};
  const found = useMemo(() => searchedIssues(issues, needle), [issues, needle]);
  const shown = useMemo(() => sortedIssues(filteredRows(found, issueFacets, filters), order), [found, filters, order]);
  const isOfState = filters.some(({ field }) => field === "state");
  const burning = useMemo(() => shown.filter(({ state }) => isOfState || state !== "resolved"), [shown, isOfState]);
  const resolved = isOfState ? [] : shown.filter(({ state }) => state === "resolved");
  const growing = useGrowing(burning, { step: 100, noun: "issues" });
  const isFiltered = filters.length > 0 || needle !== "";
  return (
    <Page
      title="Issues"
      beside={
        <span class="muted" role="status">
          {loaded.value === undefined
            ? ""
            : `${shown.length === total ? "" : `${shown.length.toLocaleString()} of `}${total.toLocaleString()} in the ${range.label}`}
        </span>
      }
      actions={<ExportMenu name="failures" label="Failed events" pql={failedEvents(environment, range)} />}
    >
      {loaded.value === undefined && loaded.error === undefined ? <Loading loaded={loaded} height={400} /> : null}
      {loaded.error === undefined ? null : <Problem loaded={loaded} />}
      {loaded.value === undefined ? null : issues.length === 0 ? (
        <p>
          Nothing failed in the {range.label}
          {environment === undefined ? "" : " in this environment"}.
        </p>
      ) : (
        <div class={loaded.isLoading ? "with-facets dimmed" : "with-facets"} aria-busy={loaded.isLoading}>
          <LocalSidebar rows={found} facets={issueFacets} filters={filters} onFilters={setFilters} />
          <div class="issues-main">
            <div class="issue-tools">
              <SearchField
                label="Search message or title"
                value={needle}
                onChange={(value) => setNeedle(value, { push: false })}
                isFilter
              />
              <FilterChips filters={filters} facets={issueFacets} onFilters={setFilters} />
              <label class="issue-order">
                <span class="visually-hidden">Order</span>
                <select
                  value={order}
                  onChange={(event) =>
                    setOrder(issueOrders.find((one) => one === event.currentTarget.value) ?? "still")
                  }
                >
                  {issueOrders.map((one) => (
                    <option key={one} value={one}>
                      {orderLabels[one]}
                    </option>
                  ))}
                </select>
              </label>
            </div>
            {total > issues.length ? (
              <p>
                The {issues.length.toLocaleString()} issues on the most nodes are listed. Choose a shorter time range to
                see the others.
              </p>
            ) : null}
            {common === "" ? null : (
              <p>
                Only issues with the same message.{" "}
                <button type="button" onClick={() => setCommon("")}>
                  All issues
                </button>
              </p>
            )}
            {shown.length === 0 && isFiltered ? <p>No issue is like that.</p> : null}
            <ul class="issue-items">
              {growing.shown.map((issue) => (
                <IssueItem key={issue.id} issue={issue} span={range.label} />
              ))}
            </ul>
            {growing.more}
            {resolved.length === 0 ? null : <ResolvedIssues issues={resolved} span={range.label} />}
          </div>
        </div>
      )}
    </Page>
  );
}

/** Issues that no node has any more. */
function ResolvedIssues({ issues, span }: { readonly issues: readonly Issue[]; readonly span: string }): JSX.Element {
  const growing = useGrowing(issues, { step: 100, noun: "issues" });
  return (
    <details class="resolved-issues">
      <summary>{issues.length.toLocaleString()} resolved: no node has them in its latest run</summary>
      <ul class="issue-items">
        {growing.shown.map((issue) => (
          <IssueItem key={issue.id} issue={issue} span={span} />
        ))}
      </ul>
      {growing.more}
    </details>
  );
}

/** The failed events in the time range. Issues themselves are no rows of a query. */
function failedEvents(environment: string | undefined, { from, to }: TimeRange): string {
  return query("events", {
    where: and(
      'status = "failure"',
      `timestamp >= ${literal(from)}`,
      `timestamp <= ${literal(to)}`,
      inEnvironment("events", environment),
    ),
    orderBy: ["timestamp desc", "certname"],
  });
}
