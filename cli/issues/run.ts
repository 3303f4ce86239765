import { silenceAt } from "#storage/states/node-state.ts";
import type { Issue, IssueKind } from "#storage/issues/issue.ts";
import type { JsonObject } from "#storage/json.ts";
import { readMoment } from "../moment.ts";
import { type AnswerArguments, answerPlace, writeAnswer } from "../output/answer.ts";
import { aboutResult } from "../output/page-of.ts";
import { rowsOf } from "../output/rows.ts";
import { chooseSource } from "../sources/choice.ts";
import type { SourceArguments } from "../sources/options.ts";
import { withSource } from "../sources/source.ts";
import { stdout } from "../stdout.ts";
import { readIssue, readIssues } from "./read-issues.ts";
import { issueRow, issueText, nodeRows } from "./rows.ts";

/** What `census issues` takes. */
export interface IssuesArguments extends SourceArguments, AnswerArguments {
  readonly issue?: string | undefined;
  readonly node?: string | undefined;
  readonly new?: boolean | undefined;
  readonly still?: boolean | undefined;
  readonly failure?: IssueKind | undefined;
  readonly since: string;
}

/** @returns how many issues, or nodes of one, were listed */
export async function runIssues(args: IssuesArguments): Promise<number> {
  const since = readMoment("--since", args.since);
  const selection = {
    since,
    certname: args.node,
    filter: args.failure === undefined ? {} : { kind: args.failure },
  };
  const choice = chooseSource("issues", args);
  const place = answerPlace(args);
  return withSource(choice, ["facts", "reports"], async (source) => {
    let rows: JsonObject[];
    if (args.issue === undefined) {
      const { issues } = await readIssues(source, selection);
      rows = issues.filter((issue) => isWanted(issue, args)).map(issueRow);
    } else {
      const detail = await readIssue(source, args.issue, selection);
      rows = nodeRows(detail, silenceAt(Number((await source.now()) / 1000n), await source.silentAfter()));
      if (place.format === "table") await stdout.write(issueText(detail));
    }
    const title = `Census issues${args.issue === undefined ? "" : ` ${args.issue}`}`;
    await writeAnswer(rowsOf(rows), place, aboutResult(source, { title }));
    return rows.length;
  });
}

function isWanted({ state, still }: Issue, args: IssuesArguments): boolean {
  return (args.new !== true || state === "new" || state === "regressed") && (args.still !== true || still > 0);
}
