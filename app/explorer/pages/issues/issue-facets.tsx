import type { Issue } from "#storage/issues/issue.ts";
import type { LocalFacet } from "../facets/filters.ts";
import { IssueKind, issueKinds, IssueStateBadge, issueStateLabels } from "./subject.tsx";

const states = Object.keys(issueStateLabels) as Issue["state"][];
const kinds = Object.keys(issueKinds) as Issue["kind"][];

/** The facets of the list of issues. */
export const issueFacets: readonly LocalFacet<Issue>[] = [
  {
    field: "state",
    label: "State",
    valuesOf: ({ state }) => [state],
    show: (value) => {
      const state = states.find((one) => one === value);
      return state === undefined ? undefined : <IssueStateBadge state={state} />;
    },
  },
  {
    field: "kind",
    label: "Kind",
    valuesOf: ({ kind }) => [kind],
    show: (value) => {
      const kind = kinds.find((one) => one === value);
      return kind === undefined ? undefined : <IssueKind kind={kind} />;
    },
  },
  { field: "type", label: "Resource type", valuesOf: ({ type }) => [type] },
  { field: "class", label: "Class", valuesOf: ({ class: name }) => [name] },
  { field: "environment", label: "Environment", valuesOf: ({ environments }) => environments },
];
