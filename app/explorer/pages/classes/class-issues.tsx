import type { JSX } from "preact";
import { useEnvironment } from "../address/environment.ts";
import { useIssues } from "../data/use-issues.ts";
import { Panel } from "../frame/panel.tsx";
import { IssueItem } from "../issues/issue-item.tsx";
import { useTimeRange } from "../time/range.ts";

/** Issues that are listed; the page of issues has the others. */
const SHOWN = 10;

/** What fails in a class. */
export function ClassIssues({ name }: { readonly name: string }): JSX.Element {
  const range = useTimeRange();
  const loaded = useIssues({
    name: "Issues of the class",
    range,
    environment: useEnvironment(),
    class: name,
    limit: SHOWN,
  });
  const issues = loaded.value?.issues ?? [];
  return (
    <Panel
      title="Issues"
      loaded={loaded}
      height={40}
      empty={
        loaded.value !== undefined && issues.length === 0 ? (
          <p class="muted">None of its resources failed in the {range.label}.</p>
        ) : undefined
      }
    >
      <ul class="issue-items">
        {issues.map((issue) => (
          <IssueItem key={issue.id} issue={issue} span={range.label} />
        ))}
      </ul>
    </Panel>
  );
}
