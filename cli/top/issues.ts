import { compareBytewise } from "#storage/bytewise.ts";
import { type FailedReport, type Failure, failuresOf, identityOf, publicId } from "#storage/issues/failures.ts";
import { Folding } from "#storage/issues/fold.ts";
import type { IssueKind } from "#storage/issues/issue.ts";
import { resourceOf } from "../issues/rows.ts";
import type { Issue, Since } from "./fleet.ts";

/** What failed, where that is no resource. */
const kinds: Readonly<Record<Exclude<IssueKind, "resource">, string>> = {
  catalog: "catalog",
  run: "run",
  warning: "run",
};

/** @param resource undefined: the run itself */
export type SinceOf = (certname: string, resource: string | undefined) => Since | null;

/** What is known of an issue while reports are read. */
interface Draft {
  readonly failure: Failure;
  readonly sample: string;
  readonly nodes: Map<string, Since | null>;
}

/** Joins the failures of reports that are the same but for names, numbers and times; those on most nodes first. */
export function issuesOf(reports: readonly FailedReport[], sinceOf: SinceOf): Issue[] {
  const drafts = new Map<string, Draft>();
  for (const report of reports) {
    const { certname } = report;
    const folding = new Folding({ certname, others: [] });
    for (const failure of failuresOf(report)) {
      const id = publicId(identityOf(failure, folding).id);
      const draft = drafts.get(id) ?? { failure, sample: certname, nodes: new Map<string, Since | null>() };
      drafts.set(id, draft);
      const since = sinceOf(certname, resourceOf(failure) ?? undefined);
      draft.nodes.set(certname, earliest([draft.nodes.get(certname) ?? null, since]));
    }
  }
  return [...drafts].map(([id, draft]) => issueOf(id, draft)).sort(mostNodesFirst);
}

function issueOf(id: string, { failure, sample, nodes }: Draft): Issue {
  const { kind, message, place, class: name } = failure;
  return {
    id,
    what: kind === "resource" ? (resourceOf(failure) ?? "") : kinds[kind],
    message,
    sample,
    place,
    class: name,
    since: earliest([...nodes.values()]),
    nodes: [...nodes]
      .map(([certname, since]) => ({ certname, since }))
      .sort((a, b) => compareBytewise(a.certname, b.certname)),
  };
}

function earliest(times: readonly (Since | null)[]): Since | null {
  const known = times.filter((since) => since !== null);
  return known.reduce<Since | null>(
    (first, since) => (first === null || since.time < first.time ? since : first),
    null,
  );
}

function mostNodesFirst(a: Issue, b: Issue): number {
  return (
    b.nodes.length - a.nodes.length ||
    compareBytewise(b.since?.time ?? "", a.since?.time ?? "") ||
    compareBytewise(a.what, b.what) ||
    compareBytewise(a.id, b.id)
  );
}
