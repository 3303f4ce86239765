import type { JSX } from "preact";
import { href } from "../address/address.ts";
import type { IssueDetail } from "#storage/issues/issue.ts";
import { ResourceLink } from "../value/resource-link.tsx";
import { Term } from "../report/summary.tsx";
import { Age } from "../time/age.tsx";
import { formatTime } from "../time/format.ts";
import { Place } from "../value/place.tsx";
import { marked } from "../value/value.tsx";
import { foldedParts } from "../issues/folded-parts.ts";

export interface IssueSummaryProps {
  readonly detail: IssueDetail;
  /** The time range as text: "last 24 hours". */
  readonly span: string;
}

/** How far an issue reaches, where it is in the code, and where it was first seen. */
export function IssueSummary({ detail, span }: IssueSummaryProps): JSX.Element {
  const { issue, reports, isComplete } = detail;
  const oldest = reports.at(-1);
  const hasExactTitle = issue.title !== null && foldedParts(issue.title).every(({ isFolded }) => !isFolded);
  return (
    <dl class="report-summary">
      <Term name="Nodes">{issue.nodes.toLocaleString()}</Term>
      <Term name="Failures">{issue.events.toLocaleString()}</Term>
      <Term name="First seen">
        <Age time={issue.first} />
        {isComplete ? null : <span class="muted"> or before: older reports are still being read</span>}
      </Term>
      <Term name="Last seen">
        <Age time={issue.last} />
      </Term>
      {oldest === undefined ? null : (
        <Term name={`First run in the ${span}`}>
          <a href={href("report", [oldest.hash])}>{formatTime(oldest.time)}</a> on{" "}
          <a href={href("node", [oldest.certname])}>
            <bdi>{marked(oldest.certname)}</bdi>
          </a>
        </Term>
      )}
      {issue.type !== null && issue.title !== null && hasExactTitle ? (
        <Term name="Resource">
          <ResourceLink resource={{ type: issue.type, title: issue.title }} />
        </Term>
      ) : null}
      {issue.class === null ? null : (
        <Term name="Class">
          <a href={href("classes", [], { class: issue.class })}>
            <bdi>{marked(issue.class)}</bdi>
          </a>
        </Term>
      )}
      {issue.place === null ? null : (
        <Term name="Place">
          <Place file={issue.place.file} line={issue.place.line} />
        </Term>
      )}
      <Term name="Environments">
        <bdi>{marked(issue.environments.join(", "))}</bdi>
      </Term>
    </dl>
  );
}
