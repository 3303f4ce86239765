import type { JSX } from "preact";
import type { Issue } from "#storage/issues/issue.ts";
import { href } from "../address/address.ts";
import { useIssues } from "../data/use-issues.ts";
import { Panel } from "../frame/panel.tsx";
import { FoldedText } from "../issues/folded-text.tsx";
import { shortMessage } from "../issues/short-message.ts";
import { IssueKind, IssueResource, IssueStateBadge } from "../issues/subject.tsx";
import { Age } from "../time/age.tsx";
import { useTimeRange } from "../time/range.ts";

const SHOWN = 5;

/** What fails on this node, and how many others have it: first what its latest run has, then what it has no more. */
export function NodeIssues({ certname }: { readonly certname: string }): JSX.Element {
  const range = useTimeRange();
  const loaded = useIssues({ name: "Issues of this node", range, certname, limit: 100 });
  const { issues = [], total = 0 } = loaded.value ?? {};
  const now = issues.filter(({ isHere }) => isHere);
  const errors = now.filter(({ kind }) => kind !== "warning");
  const warnings = now.filter(({ kind }) => kind === "warning");
  const gone = issues.filter(({ isHere }) => !isHere);
  return (
    <Panel
      title="Issues here"
      loaded={loaded}
      height={90}
      empty={
        loaded.value !== undefined && issues.length === 0 ? <p>Nothing failed here in the {range.label}.</p> : undefined
      }
    >
      <IssueList issues={errors} />
      {warnings.length === 0 ? null : <p>The latest run did not fail, and said:</p>}
      <IssueList issues={warnings} />
      {gone.length === 0 ? null : (
        <details>
          <summary>
            {(total - now.length).toLocaleString()} in earlier runs of the {range.label}
          </summary>
          <IssueList issues={gone} />
        </details>
      )}
    </Panel>
  );
}

function IssueList({ issues }: { readonly issues: readonly Issue[] }): JSX.Element {
  return (
    <ul class="node-issues">
      {issues.slice(0, SHOWN).map((issue) => (
        <li key={issue.id}>
          <a class="wrap" href={href("issue", [issue.id])}>
            <FoldedText text={shortMessage(issue.message)} limit={300} />
          </a>
          <p class="muted wrap">
            <IssueKind kind={issue.kind} /> <IssueResource issue={issue} /> · {whoElse(issue)} · first{" "}
            <Age time={issue.first} /> {issue.state === "continuing" ? null : <IssueStateBadge state={issue.state} />}
          </p>
        </li>
      ))}
      {issues.length > SHOWN ? <li class="muted">{issues.length - SHOWN} more</li> : null}
    </ul>
  );
}

/** Of the whole fleet, as the page of the issue counts. */
function whoElse({ isHere, still }: Issue): string {
  if (!isHere) return still === 0 ? "no node has it now" : `on ${still.toLocaleString()} other ${nodes(still)} now`;
  return still === 1 ? "only here" : `on ${still.toLocaleString()} ${nodes(still)} now`;
}

function nodes(count: number): string {
  return count === 1 ? "node" : "nodes";
}
