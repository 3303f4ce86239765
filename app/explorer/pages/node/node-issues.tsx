import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { useIssues } from "../data/use-issues.ts";
import { Panel } from "../frame/panel.tsx";
import { FoldedText } from "../issues/folded-text.tsx";
import { shortMessage } from "../issues/short-message.ts";
import { IssueKind, IssueResource } from "../issues/subject.tsx";
import { Age } from "../time/age.tsx";
import { useTimeRange } from "../time/range.ts";

const SHOWN = 5;

/** What failed on this node in the time range. */
export function NodeIssues({ certname }: { readonly certname: string }): JSX.Element {
  const range = useTimeRange();
  const loaded = useIssues({ name: "Issues of this node", range, certname, limit: SHOWN });
  const { issues = [], total = 0 } = loaded.value ?? {};
  return (
    <Panel
      title="Issues here"
      loaded={loaded}
      height={90}
      empty={
        loaded.value !== undefined && issues.length === 0 ? <p>Nothing failed here in the {range.label}.</p> : undefined
      }
    >
      <ul class="node-issues">
        {issues.map((issue) => (
          <li key={issue.id}>
            <a class="wrap" href={href("issue", [issue.id])}>
              <FoldedText text={shortMessage(issue.message)} limit={300} />
            </a>
            <p class="muted wrap">
              <IssueKind kind={issue.kind} /> <IssueResource issue={issue} /> · first <Age time={issue.first} />
              {issue.nodes > 1 ? ` · on ${issue.nodes.toLocaleString()} nodes` : " · only here"}
            </p>
          </li>
        ))}
      </ul>
      {total > issues.length ? (
        <p class="muted">
          {total - issues.length} more in the {range.label}.
        </p>
      ) : null}
    </Panel>
  );
}
