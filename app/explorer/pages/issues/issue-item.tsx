import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { Spark } from "../charts/spark.tsx";
import type { Issue } from "#storage/issues/issue.ts";
import { Age } from "../time/age.tsx";
import { Place } from "../value/resource-link.tsx";
import { marked } from "../value/value.tsx";
import { FoldedText, IssueKind, IssueResource, IssueStateBadge } from "./subject.tsx";
import { shortMessage } from "./folded-parts.ts";

/** Characters of a message in the list; the page of the issue has all. */
const SHOWN = 400;

/** One issue: what fails, where, on how many nodes, since when. */
export function IssueItem({ issue, span }: { readonly issue: Issue; readonly span: string }): JSX.Element {
  return (
    <li class="issue-item">
      <div class="issue-what">
        <div class="issue-about">
          <IssueKind kind={issue.kind} />
          <IssueResource issue={issue} />
          {issue.state === "continuing" ? null : <IssueStateBadge state={issue.state} />}
        </div>
        <a class="issue-message wrap" href={href("issue", [issue.id])}>
          <FoldedText text={shortMessage(issue.message)} limit={SHOWN} />
        </a>
        <div class="issue-where muted">
          {issue.class === null ? null : (
            <a href={href("classes", [], { class: issue.class })}>
              <bdi>{marked(issue.class)}</bdi>
            </a>
          )}
          {issue.place === null ? null : <Place file={issue.place.file} line={issue.place.line} />}
          {issue.environments.length === 0 ? null : <bdi>{marked(issue.environments.join(", "))}</bdi>}
          {issue.elsewhere === 0 ? null : (
            <a href={href("issues", [], { common: issue.common })}>
              {issue.elsewhere.toLocaleString()} more with this message
            </a>
          )}
        </div>
      </div>
      <div class="issue-nodes">
        <strong>{issue.still.toLocaleString()}</strong>{" "}
        {issue.still === issue.nodes ? "" : `of ${issue.nodes.toLocaleString()} `}
        {issue.nodes === 1 ? "node" : "nodes"}
        <div class="muted">
          {issue.joined > 0 && issue.joined < issue.still ? `+${issue.joined.toLocaleString()} in 24 h` : null}
          {issue.still === 0 ? "none has it now" : null}
        </div>
      </div>
      <div class="issue-when muted">
        <div>
          first <Age time={issue.first} />
        </div>
        <div>
          last <Age time={issue.last} />
        </div>
      </div>
      <Spark
        values={issue.spark}
        label={`Nodes with it in the ${span}`}
        token={issue.kind === "warning" ? "hidden" : "failed"}
      />
    </li>
  );
}
