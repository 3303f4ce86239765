import type { JSX } from "preact";
import { href } from "../address/address.ts";
import type { IssueDetail } from "../data/use-issue.ts";
import { ResourceLink } from "../value/resource-link.tsx";
import { Term } from "../report/summary.tsx";
import { Age } from "../time/age.tsx";
import { Place } from "../value/place.tsx";
import { marked } from "../value/value.tsx";
import { foldedParts } from "../issues/folded-parts.ts";

/** How far an issue reaches, where it is in the code, and where it was first seen. */
export function IssueSummary({ detail }: { readonly detail: IssueDetail }): JSX.Element {
  const { issue, reports } = detail;
  const first = reports.reduce<(typeof reports)[number] | undefined>(
    (before, report) => (before === undefined || report.time < before.time ? report : before),
    undefined,
  );
  const hasExactTitle = issue.title !== null && foldedParts(issue.title).every(({ isFolded }) => !isFolded);
  return (
    <dl class="report-summary">
      <Term name="Nodes">{issue.nodes.toLocaleString()}</Term>
      <Term name="Times">{issue.events.toLocaleString()}</Term>
      <Term name="First seen">
        <Age time={issue.first} />
        {first === undefined ? null : (
          <>
            {" in "}
            <a href={href("report", [first.hash])}>the run</a> of{" "}
            <a href={href("node", [first.certname])}>
              <bdi>{marked(first.certname)}</bdi>
            </a>
          </>
        )}
      </Term>
      <Term name="Last seen">
        <Age time={issue.last} />
      </Term>
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
