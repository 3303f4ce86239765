import type { JSX } from "preact";
import type { Issue } from "#storage/issues/issue.ts";
import { StateShape } from "../state/state-mark.tsx";
import { marked } from "../value/value.tsx";
import { beginning, SHOWN_CHARACTERS } from "../value/text.ts";
import { foldedParts, shortMessage } from "./folded-parts.ts";
import { href } from "../address/address.ts";
import { Spark } from "../charts/spark.tsx";
import { Age } from "../time/age.tsx";
import { Place } from "../value/resource-link.tsx";

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

/** Names of the folded parts, for tool tips. */
const meanings: Readonly<Record<string, string>> = {
  node: "the node's own name",
  hash: "a checksum or other hexadecimal digits",
  uuid: "a UUID",
  ip: "an address",
  time: "a time",
  tmp: "a temporary name",
  environment: "an environment",
  object: "an object of the program",
  call: "a call of the system",
  log: "time and host of a line of a log",
  sid: "the identifier of an account",
  device: "a disk or a network interface",
  arch: "an architecture",
  size: "a size",
  state: "the state of a process",
  process: "a program",
  n: "a number",
};

/** A message in which what differs between nodes is a chip: `<hash>`, `<n>`. */
export function FoldedText({
  text,
  limit = SHOWN_CHARACTERS,
}: {
  readonly text: string;
  readonly limit?: number;
}): JSX.Element {
  const shown = beginning(text, limit);
  return (
    <bdi class="folded-text">
      {foldedParts(shown).map((part, index) =>
        part.isFolded ? (
          // Parts have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <span key={index} class="folded-part" title={`Differs: ${meanings[part.text] ?? part.text}`}>
            {part.text}
          </span>
        ) : (
          marked(part.text)
        ),
      )}
      {shown.length === text.length ? "" : "…"}
    </bdi>
  );
}

/** Names of the kinds of issues. */
export const issueKinds: Readonly<Record<Issue["kind"], string>> = {
  resource: "resource",
  catalog: "catalog",
  run: "run",
  warning: "warning",
};

/** What each kind means, for tool tips. */
export const kindMeanings: Readonly<Record<Issue["kind"], string>> = {
  resource: "A resource could not be brought into its state",
  catalog: "No catalog could be compiled or retrieved",
  run: "The run failed outside of a resource",
  warning: "The run did not fail, and logged an error",
};

/** The kind of an issue as shape and word. */
export function IssueKind({ kind }: { readonly kind: Issue["kind"] }): JSX.Element {
  const state = kind === "warning" ? "hidden" : "failed";
  return (
    <span class={`state-mark state-${state}`} title={kindMeanings[kind]}>
      <StateShape state={state} />
      <span>{issueKinds[kind]}</span>
    </span>
  );
}

/** Names of the states of issues. */
export const issueStateLabels: Readonly<Record<Issue["state"], string>> = {
  new: "new",
  regressed: "regressed",
  continuing: "continuing",
  resolved: "resolved",
};

const stateMeanings: Readonly<Record<Issue["state"], string>> = {
  new: "First seen in the last 24 hours",
  regressed: "Seen again in the last 24 hours, after no node had it for as long",
  continuing: "Nodes still have it, since more than 24 hours",
  resolved: "No node has it in its latest run",
};

/** The state of an issue as a badge. */
export function IssueStateBadge({ state }: { readonly state: Issue["state"] }): JSX.Element {
  return (
    <span class={`badge issue-${state}`} title={stateMeanings[state]}>
      {issueStateLabels[state]}
    </span>
  );
}

/** How many nodes still have an issue, and whether these become more or fewer. */
export function Spread({
  issue,
}: {
  readonly issue: Pick<Issue, "nodes" | "still" | "joined" | "recovered">;
}): JSX.Element {
  const { nodes, still, joined, recovered } = issue;
  const changes = [
    joined > 0 && joined < still ? `${joined.toLocaleString()} joined` : undefined,
    recovered > 0 && still > 0 ? `${recovered.toLocaleString()} recovered` : undefined,
  ].filter((change) => change !== undefined);
  const all = `${nodes.toLocaleString()} ${nodes === 1 ? "node" : "nodes"}`;
  return (
    <>
      {still === 0 ? `none of ${all}` : still === nodes ? all : `still ${still.toLocaleString()} of ${all}`}
      {changes.length === 0 ? null : <span class="muted"> · {changes.join(", ")} in 24 h</span>}
    </>
  );
}

/** The resource that an issue is about; nothing for other kinds. */
export function IssueResource({ issue }: { readonly issue: Pick<Issue, "type" | "title"> }): JSX.Element | null {
  const { type, title } = issue;
  if (type === null) return null;
  return (
    <bdi class="wrap">
      {marked(type)}
      {title === null ? null : (
        <>
          [<FoldedText text={title} limit={200} />]
        </>
      )}
    </bdi>
  );
}
