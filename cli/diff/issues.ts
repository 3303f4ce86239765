import { CensusError } from "#storage/errors.ts";
import type { Issue } from "#storage/issues/issue.ts";
import { readIssues } from "../issues/read-issues.ts";
import { resourceOf } from "../issues/rows.ts";
import { counted } from "../output/counted.ts";
import { printable } from "../output/printable.ts";
import { days, type Timestamp } from "#storage/time.ts";
import type { OpenSource } from "../sources/open-source.ts";
import type { TreeLine } from "./value-lines.ts";

/** Issues that nodes have in their latest runs on one side only; or why they were not compared. */
export type IssueChanges =
  | { readonly came: readonly Issue[]; readonly went: readonly Issue[] }
  | { readonly problem: string };

/** The issues of latest runs, however old these are. */
const selection = {
  since: { seen: (now: Timestamp) => now - days(1000) },
  certname: undefined,
  filter: {},
} as const;

export async function compareIssues(before: OpenSource, after: OpenSource): Promise<IssueChanges> {
  try {
    const [a, b] = [await present(before), await present(after)];
    if (a.rules !== b.rules) return { problem: `their ids are of different rules, ${a.rules} and ${b.rules}` };
    return { came: without(b.issues, a.issues), went: without(a.issues, b.issues) };
  } catch (error) {
    if (error instanceof CensusError && error.code === "not-found") return { problem: error.message };
    throw error;
  }
}

async function present(source: OpenSource): Promise<{ readonly rules: string; readonly issues: readonly Issue[] }> {
  const { rules, states, issues } = await readIssues(source, selection);
  // Those that the most nodes still have are listed first.
  const still = issues.filter((issue) => issue.still > 0);
  const all = states.new + states.regressed + states.continuing;
  if (still.length === all) return { rules, issues: still };
  throw new CensusError("not-found", `${source.name} has ${all}, more than the ${still.length} that are listed`);
}

function without(issues: readonly Issue[], others: readonly Issue[]): Issue[] {
  const known = new Set(others.map(({ id }) => id));
  return issues.filter(({ id }) => !known.has(id));
}

/** Whether any came or went; not if they were not compared. */
export function haveChanged(changes: IssueChanges | undefined): boolean {
  return changes !== undefined && "came" in changes && changes.came.length + changes.went.length > 0;
}

/** Issues that came with `+`, those that went with `-`. */
export function issueLines(changes: IssueChanges): TreeLine[] {
  if ("problem" in changes) return [{ depth: 0, look: "aside", text: `Issues are not compared: ${changes.problem}` }];
  const lines = [
    ...changes.came.map((issue) => issueLine("added", issue)),
    ...changes.went.map((issue) => issueLine("removed", issue)),
  ];
  return lines.length === 0 ? [] : [{ depth: 0, text: "" }, { depth: 0, look: "heading", text: "Issues" }, ...lines];
}

function issueLine(look: "added" | "removed", issue: Issue): TreeLine {
  const what = resourceOf(issue) ?? issue.kind;
  const text = `${look === "added" ? "+" : "-"} ${what}: ${issue.message} (${counted(issue.still, "node")})`;
  return { depth: 1, look, text: printable(text) };
}
