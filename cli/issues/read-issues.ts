import { CensusError } from "#storage/errors.ts";
import type { Issue, IssueDetail, IssueFilter, Issues } from "#storage/issues/issue.ts";
import { MOST_LISTED } from "#storage/issues/issue-store.ts";
import { momentAt, type Moment } from "../moment.ts";
import type { OpenSource } from "../sources/open-source.ts";

/** Which issues are read. */
export interface IssueSelection {
  /** Failures since then. */
  readonly since: Moment;
  readonly certname: string | undefined;
  readonly filter: IssueFilter;
}

/** Reads the issues of a source, those first that the most nodes still have. */
export async function readIssues(source: OpenSource, selection: IssueSelection): Promise<Issues> {
  const { certname, filter } = selection;
  if (source.kind === "url") {
    const parameters = { ...(await rangeOf(source, selection)), certname, ...filter, limit: "1000" };
    return (await source.explorer("issues", parameters)) as unknown as Issues;
  }
  const spec = { ...(await specOf(source, selection)), filter, order: "still", limit: MOST_LISTED } as const;
  return (await source.issues()).list(certname === undefined ? spec : { ...spec, certname });
}

/**
 * Reads one issue.
 * @param id all of it, or its beginning
 */
export async function readIssue(source: OpenSource, id: string, selection: IssueSelection): Promise<IssueDetail> {
  const full = /^v\d+-[\da-f]{12}$/.test(id) ? id : await fullId(source, id, selection);
  if (source.kind === "url") {
    return (await source.explorer(`issues/${full}`, await rangeOf(source, selection))) as unknown as IssueDetail;
  }
  return (await source.issues()).detail({ ...(await specOf(source, selection)), id: full, zone: "UTC" });
}

async function fullId(source: OpenSource, id: string, selection: IssueSelection): Promise<Issue["id"]> {
  const { issues } = await readIssues(source, selection);
  const found = issues.filter((issue) => issue.id.startsWith(id) || issue.id.replace(/^v\d+-/, "").startsWith(id));
  const [one] = found;
  if (one !== undefined && found.length === 1) return one.id;
  const problem = found.length === 0 ? "no issue has the id" : "several issues have ids that begin with";
  throw new CensusError("not-found", `${problem} ${JSON.stringify(id)}; census issues lists them with their ids`);
}

async function specOf(
  source: OpenSource,
  { since }: IssueSelection,
): Promise<{
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly nodes: { readonly pql: string };
}> {
  const present = await source.now();
  const now = Number(present / 1000n);
  // The range excludes its end.
  return { from: Number(momentAt(since, present) / 1000n), to: now + 1, now, nodes: { pql: "nodes{}" } };
}

async function rangeOf(source: OpenSource, selection: IssueSelection): Promise<{ from: string; to: string }> {
  const { from, to } = await specOf(source, selection);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
