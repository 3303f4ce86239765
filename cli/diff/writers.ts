import { isEmptyReport, type NodeChange } from "#storage/diff/changes.ts";
import type { ReportChanges } from "#storage/diff/report.ts";
import { countsOf, type DiffSummary } from "#storage/diff/summary.ts";
import { stringifyJson, type Json } from "#storage/json.ts";
import { issueRow } from "../issues/rows.ts";
import { cutToWidth } from "../output/fit.ts";
import type { TextOutput } from "../stdout.ts";
import { haveChanged, type IssueChanges, issueLines } from "./issues.ts";
import { nodeLines, reportLines } from "./node-lines.ts";
import { looks } from "./paint.ts";
import { nodeSummaryLine, nothingLines, summaryLines, volatileLines } from "./summary-lines.ts";
import type { TreeLine } from "./value-lines.ts";

/** How a tree is laid out. */
export interface TreeLayout {
  readonly coloured: boolean;
  /** The terminal's width; longer lines are cut. */
  readonly columns: number;
}

/** Writes a comparison while it is made. */
export interface DiffWriter {
  node(change: NodeChange): Promise<void>;
  /** @param issues undefined: they are not compared, as of single nodes */
  end(summary: DiffSummary, issues?: IssueChanges): Promise<void>;
  /** @param volatile differences that are left out */
  report(changes: ReportChanges, volatile: number): Promise<void>;
}

/** For people: a tree of each node, or a line with `isShort`, followed by what all nodes have in common. */
export function treeWriter(output: TextOutput, layout: TreeLayout, isShort: boolean): DiffWriter {
  return {
    node: (change) => writeLines(isShort ? [nodeSummaryLine(change)] : nodeLines(change), layout, output),
    end: (summary, issues) => {
      const lines = issues === undefined ? [] : issueLines(issues);
      return writeLines([...lines, ...summaryLines(summary, haveChanged(issues))], layout, output);
    },
    report: (changes, volatile) => {
      const lines = isEmptyReport(changes) ? nothingLines : reportLines(0, changes);
      return writeLines([...lines, ...volatileLines(volatile)], layout, output);
    },
  };
}

/** For programs: one object; of each node all differences or, with `isShort`, how many there are of each kind. */
export function jsonWriter(output: TextOutput, isShort: boolean): DiffWriter {
  let separator = '{"nodes":[\n';
  return {
    node: async (change) => {
      await output.write(separator + text(isShort ? shortened(change) : change));
      separator = ",\n";
    },
    end: async (summary, issues) => {
      const begun = separator === ",\n" ? "\n" : separator;
      await output.write(`${begun}],\n"summary":${text(summary)}${ofIssues(issues)}}\n`);
    },
    report: (changes, volatile) => output.write(`${text({ ...changes, volatile })}\n`),
  };
}

function ofIssues(issues: IssueChanges | undefined): string {
  if (issues === undefined) return "";
  const rows = "problem" in issues ? issues : { came: issues.came.map(issueRow), went: issues.went.map(issueRow) };
  return `,\n"issues":${text(rows)}`;
}

function shortened(change: NodeChange): object {
  const { kind, certname } = change;
  return kind === "changed"
    ? { kind, certname, to_certname: change.to_certname, counts: countsOf(change), volatile: change.volatile }
    : { kind, certname };
}

function text(value: object): string {
  return stringifyJson(value as Json);
}

/** Writes lines of a tree, each as deep as it says. */
export async function writeLines(lines: readonly TreeLine[], { coloured, columns }: TreeLayout, output: TextOutput) {
  if (lines.length === 0) return;
  const texts = lines.map(({ depth, look, text }) => {
    const line = cutToWidth("  ".repeat(depth) + text, columns);
    return look === undefined || !coloured ? line : looks[look](line);
  });
  await output.write(`${texts.join("\n")}\n`);
}
