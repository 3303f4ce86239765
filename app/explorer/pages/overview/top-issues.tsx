import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { Spark } from "../charts/spark.tsx";
import { useIssues } from "../data/use-issues.ts";
import { Panel } from "../frame/panel.tsx";
import { FoldedText } from "../issues/folded-text.tsx";
import { shortMessage } from "../issues/short-message.ts";
import { IssueKind, IssueResource, Spread } from "../issues/subject.tsx";
import { counted } from "../value/text.ts";
import { Age } from "../time/age.tsx";
import type { TimeRange } from "../time/format.ts";

/** Characters of a message; the page of the issue has all. */
const SHOWN = 300;

/** What burns: the issues that the most nodes still have. */
export function TopIssues({
  environment,
  range,
}: {
  readonly environment: string | undefined;
  readonly range: TimeRange;
}): JSX.Element {
  const loaded = useIssues({ name: "Issues on the most nodes now", range, environment, limit: 5 });
  const { issues: listed = [], total = 0 } = loaded.value ?? {};
  const issues = listed.filter(({ still }) => still > 0);
  return (
    <Panel
      title="Issues now"
      loaded={loaded}
      height={200}
      actions={<a href={href("issues")}>{total > issues.length ? `All ${counted(total, "issue")}` : "Issues"}</a>}
      empty={
        issues.length === 0 && loaded.value !== undefined ? (
          <p>
            {total === 0 ? `Nothing failed in the ${range.label}.` : `What failed in the ${range.label} is resolved.`}
          </p>
        ) : undefined
      }
    >
      <ul class="issue-list">
        {issues.map((issue) => (
          <li key={issue.id} class="issue-row">
            <a href={href("issue", [issue.id])}>
              <FoldedText text={shortMessage(issue.message)} limit={SHOWN} />
            </a>
            <Spark
              values={issue.spark}
              label={`Nodes with it in the ${range.label}`}
              token={issue.kind === "warning" ? "hidden" : "failed"}
            />
            <p class="muted wrap">
              <IssueKind kind={issue.kind} /> <IssueResource issue={issue} /> · <Spread issue={issue} /> ·{" "}
              {issue.state === "new" || issue.state === "regressed" ? <strong>{issue.state}, </strong> : null}
              first <Age time={issue.first} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
