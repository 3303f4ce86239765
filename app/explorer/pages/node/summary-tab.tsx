import type { JSX } from "preact";
import { about } from "../data/about.ts";
import { NodeChanges } from "../changes/node-changes.tsx";
import type { NodeRow } from "../nodes/node-row.ts";
import { Identity } from "./identity.tsx";
import { NodeIssues } from "./node-issues.tsx";
import { NowPanel } from "./now-panel.tsx";
import { useRuns } from "./runs.ts";
import { RunsPanel } from "./runs-panel.tsx";

/** Runs shown. */
const RUNS = 50;

/** What one wants to know of a node first. */
export function SummaryTab({ node }: { readonly node: NodeRow }): JSX.Element {
  const runs = useRuns(node, RUNS);
  return (
    <div class="panels">
      <div>
        <NodeIssues certname={node.certname} />
        <NowPanel node={node} runs={runs.value ?? []} />
        <RunsPanel node={node} runs={runs} />
        {about.value?.history == null || runs.value === undefined ? null : (
          <NodeChanges key={node.certname} certname={node.certname} runs={runs.value} />
        )}
      </div>
      <Identity node={node} />
    </div>
  );
}
