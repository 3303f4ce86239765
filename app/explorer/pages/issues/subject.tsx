import type { JSX } from "preact";
import type { Issue } from "#storage/issues/issue.ts";
import { StateShape } from "../state/state-mark.tsx";
import { marked } from "../value/value.tsx";
import { FoldedText } from "./folded-text.tsx";

/** Names of the kinds of issues. */
export const issueKinds: Readonly<Record<Issue["kind"], string>> = {
  resource: "resource",
  catalog: "catalog",
  run: "run",
  hidden: "hidden failure",
};

/** What each kind means, for tool tips. */
export const kindMeanings: Readonly<Record<Issue["kind"], string>> = {
  resource: "A resource could not be brought into its state",
  catalog: "No catalog could be compiled or retrieved",
  run: "The run failed outside of a resource",
  hidden: "The run looks healthy because it used a cached catalog",
};

/** The kind of an issue as shape and word. */
export function IssueKind({ kind }: { readonly kind: Issue["kind"] }): JSX.Element {
  const state = kind === "hidden" ? "hidden" : "failed";
  return (
    <span class={`state-mark state-${state}`} title={kindMeanings[kind]}>
      <StateShape state={state} />
      <span>{issueKinds[kind]}</span>
    </span>
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
