import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useParameter } from "../address/address.ts";
import { oneOf, text } from "../address/codecs.ts";
import { useEnvironment } from "../address/environment.ts";
import { useIssues } from "../data/use-issues.ts";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { Choice, countValues } from "../list/choice.tsx";
import { useGrowing } from "../list/growing.tsx";
import { SearchField } from "../list/search-field.tsx";
import { useTimeRange } from "../time/range.ts";
import { IssueItem } from "./issue-item.tsx";
import { filteredIssues, issueOrders, orderLabels, sortedIssues } from "./order.ts";
import "./issues.css";

/** Issues that are fetched at most. */
const MOST = 1000;

const textCodec = text();
const orderCodec = oneOf(issueOrders, "nodes");

/** What is wrong, how far does it reach, since when? */
export default function IssuesPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [kind, setKind] = useParameter("kind", textCodec);
  const [type, setType] = useParameter("type", textCodec);
  const [className, setClassName] = useParameter("class", textCodec);
  const [needle, setNeedle] = useParameter("q", textCodec);
  const [order, setOrder] = useParameter("sort", orderCodec);
  const loaded = useIssues({ name: "Issues", range, environment, limit: MOST });
  const { issues = [], total = 0 } = loaded.value ?? {};
  const shown = useMemo(
    () => sortedIssues(filteredIssues(issues, { kind, type, class: className, text: needle }), order),
    [issues, kind, type, className, needle, order],
  );
  const growing = useGrowing(shown, { step: 100, noun: "issues" });
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
    >
      <Panel
        title="Failures"
        loaded={loaded}
        height={300}
        actions={
          <div class="issue-filters">
            <SearchField
              label="Message or title"
              value={needle}
              onChange={(value) => setNeedle(value, { push: false })}
              isFilter
            />
            <Choice
              label="Kind"
              all="all kinds"
              chosen={kind}
              counts={countValues(issues.map((issue) => issue.kind))}
              onChange={setKind}
            />
            <Choice
              label="Type"
              all="all types"
              chosen={type}
              counts={countValues(issues.flatMap((issue) => issue.type ?? []))}
              onChange={setType}
            />
            <Choice
              label="Class"
              all="all classes"
              chosen={className}
              counts={countValues(issues.flatMap((issue) => issue.class ?? []))}
              onChange={setClassName}
            />
            <label class="issue-order">
              <span class="visually-hidden">Order</span>
              <select
                value={order}
                onChange={(event) => setOrder(issueOrders.find((one) => one === event.currentTarget.value) ?? "nodes")}
              >
                {issueOrders.map((one) => (
                  <option key={one} value={one}>
                    {orderLabels[one]}
                  </option>
                ))}
              </select>
            </label>
          </div>
        }
        empty={
          loaded.value !== undefined && issues.length === 0 ? (
            <p>
              Nothing failed in the {range.label}
              {environment === undefined ? "" : " in this environment"}.
            </p>
          ) : undefined
        }
      >
        {total > issues.length ? (
          <p>
            The {issues.length.toLocaleString()} issues on the most nodes are listed. Choose a shorter time range to see
            the others.
          </p>
        ) : null}
        {loaded.value?.isComplete === false ? (
          <p class="muted">Older reports are still being read: an issue may have been seen earlier than it says.</p>
        ) : null}
        {shown.length === 0 ? <p>No issue is like that.</p> : null}
        <ul class="issue-items">
          {growing.shown.map((issue) => (
            <IssueItem key={issue.id} issue={issue} span={range.label} />
          ))}
        </ul>
        {growing.more}
      </Panel>
    </Page>
  );
}
