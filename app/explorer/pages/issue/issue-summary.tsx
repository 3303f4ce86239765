import type { JSX } from "preact";
import { href } from "../address/address.ts";
import type { IssueDetail } from "#storage/issues/issue.ts";
import { Place, ResourceLink } from "../value/resource-link.tsx";
import { Term } from "../report/summary.tsx";
import { Age } from "../time/age.tsx";
import { formatTime } from "../time/format.ts";
import { marked } from "../value/value.tsx";
import { foldedParts } from "../issues/folded-parts.ts";
import { Spread } from "../issues/subject.tsx";

export interface IssueSummaryProps {
  readonly detail: IssueDetail;
}

/** Whether an issue still burns, since when, what it began with, and where it is in the code. */
export function IssueSummary({ detail }: IssueSummaryProps): JSX.Element {
  const { issue, begin } = detail;
  const hasExactTitle = issue.title !== null && foldedParts(issue.title).every(({ isFolded }) => !isFolded);
  return (
    <dl class="report-summary">
      <Term name="Nodes">
        <Spread issue={issue} />
      </Term>
      <Term name="Failures">{issue.events.toLocaleString()}</Term>
      <Term name="First seen">
        <Age time={issue.first} />
      </Term>
      <Term name="Last seen">
        <Age time={issue.last} />
      </Term>
      <Term name="First run with it">
        <a href={href("report", [begin.report])}>{formatTime(begin.time)}</a> on{" "}
        <a href={href("node", [begin.certname])}>
          <bdi>{marked(begin.certname)}</bdi>
        </a>
      </Term>
      <Term name="Code version then">
        <bdi>{marked(begin.version)}</bdi>
        {begin.versionBefore === null ? (
          <span class="muted"> (no earlier run is stored)</span>
        ) : begin.versionBefore === begin.version ? (
          <span class="muted"> as in the run before</span>
        ) : (
          <>
            {" "}
            after <bdi>{marked(begin.versionBefore)}</bdi>
          </>
        )}
      </Term>
      {issue.type !== null && issue.title !== null && hasExactTitle ? (
        <Term name="Resource">
          <ResourceLink resource={{ type: issue.type, title: issue.title }} />
        </Term>
      ) : null}
      {issue.elsewhere === 0 ? null : (
        <Term name="Same message elsewhere">
          <a href={href("issues", [], { common: issue.common })}>
            {issue.elsewhere.toLocaleString()} {issue.elsewhere === 1 ? "issue" : "issues"}
          </a>
        </Term>
      )}
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
