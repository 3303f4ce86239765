import type { JSX } from "preact";
import { useRoute } from "preact-iso";
import { href } from "../address/address.ts";
import { CatalogTab } from "./catalog-tab.tsx";
import { FactsTab } from "./facts-tab.tsx";
import { PackagesTab } from "./packages-tab.tsx";
import { NodeReportsTab } from "./reports-tab.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Panel, Problem } from "../frame/panel.tsx";
import { Tabs } from "../frame/tabs.tsx";
import type { NodeRow } from "../nodes/node-row.ts";
import { SiteLinks } from "../site/site-links.tsx";
import { silentSince, stateOf } from "../state/states.ts";
import { StateMark } from "../state/state-mark.tsx";
import { beginning, visibleText } from "../value/text.ts";
import { backHref, Neighbours } from "./neighbours.tsx";
import { NodeBadges } from "./node-badges.tsx";
import { useNode } from "./use-node.ts";
import { about } from "../data/about.ts";
import { NodeChanges } from "../changes/node-changes.tsx";
import { Identity } from "./identity.tsx";
import { NodeIssues } from "./node-issues.tsx";
import { NowPanel } from "./now-panel.tsx";
import { median, type Run, useRuns } from "./runs.ts";
import { Strip } from "../charts/strip.tsx";
import type { Loaded } from "../data/use-data.ts";
import { outcomeOf } from "#storage/states/node-state.ts";
import { durationOf, formatDuration, formatTime } from "../time/format.ts";

/** Runs shown. */
const RUNS = 50;

/** What one wants to know of a node first. */
function SummaryTab({ node }: { readonly node: NodeRow }): JSX.Element {
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

const tabs = [
  { key: "summary", label: "Summary", show: (node: NodeRow) => <SummaryTab node={node} /> },
  { key: "facts", label: "Facts", show: (node: NodeRow) => <FactsTab node={node} /> },
  { key: "catalog", label: "Catalog", show: (node: NodeRow) => <CatalogTab node={node} /> },
  { key: "packages", label: "Packages", show: (node: NodeRow) => <PackagesTab node={node} /> },
  { key: "reports", label: "Reports", show: (node: NodeRow) => <NodeReportsTab node={node} /> },
] as const;

const LONGEST_TITLE = 200;

/** What is this machine, and what does Puppet do on it? */
export default function NodePage(): JSX.Element {
  const { certname = "", tab = "summary" } = useRoute().params;
  const loaded = useNode(certname);
  const node = loaded.value?.find((row) => row.certname === certname);
  const shown = tabs.find(({ key }) => key === tab);
  const title = visibleText(beginning(certname, LONGEST_TITLE));
  return (
    <Page
      title={title}
      tabTitle={tab === "summary" ? title : `${title} · ${shown?.label ?? tab}`}
      before={<a href={backHref()}>‹ Nodes</a>}
      beside={
        node === undefined ? null : (
          <>
            <StateMark state={stateOf(node, silentSince.value)} />
            <NodeBadges node={node} />
          </>
        )
      }
      actions={
        <>
          <SiteLinks on="node" values={{ certname, environment: node?.report_environment ?? null }} />
          <a href={href("compare", [], { left: certname })}>Compare with …</a>
          <Neighbours certname={certname} tab={tab} />
        </>
      }
    >
      {loaded.error === undefined ? null : <Problem loaded={loaded} />}
      {loaded.isLoading && node === undefined ? <Loading loaded={loaded} height={400} /> : null}
      {loaded.value !== undefined && !loaded.isLoading && node === undefined ? <NoNode certname={certname} /> : null}
      {node === undefined ? null : (
        <>
          <Tabs
            label="Parts of the node"
            chosen={tab}
            tabs={tabs.map(({ key, label, show }) => ({
              key,
              label,
              href: href("node", key === "summary" ? [certname] : [certname, key]),
              show: () => show(node),
            }))}
          />
          {shown === undefined ? <p>A node has no part “{visibleText(tab)}”.</p> : null}
        </>
      )}
    </Page>
  );
}

function NoNode({ certname }: { readonly certname: string }): JSX.Element {
  return (
    <p>
      No node with the certname <code>{visibleText(certname)}</code> is stored. It may have been purged, or it never
      sent anything. <a href={href("nodes")}>All nodes</a>
    </p>
  );
}

interface RunsPanelProps {
  readonly node: NodeRow;
  /** Newest first. */
  readonly runs: Loaded<readonly Run[]>;
}

/** The last runs as a strip: height is the duration, colour and shape the state. */
function RunsPanel({ node, runs: loaded }: RunsPanelProps): JSX.Element {
  const runs = [...(loaded.value ?? [])].reverse();
  const durations = runs.flatMap((run) => durationOf(run) ?? []);
  const middle = median(durations);
  return (
    <Panel
      title={runs.length < 2 ? "Runs" : `Last ${runs.length} runs`}
      loaded={loaded}
      height={90}
      actions={<a href={href("node", [node.certname, "reports"])}>All reports</a>}
      empty={loaded.value?.length === 0 ? <p>No reports of this node are stored.</p> : undefined}
    >
      <Strip
        label={`Last ${runs.length} runs`}
        runs={runs.map((run) => {
          const seconds = durationOf(run);
          const length = seconds === undefined ? "" : `, ${formatDuration(seconds)}`;
          return {
            key: run.hash,
            href: href("report", [run.hash]),
            state: outcomeOf(run),
            size: seconds ?? 0,
            text: `${formatTime(run.end_time)}${length}`,
          };
        })}
      />
      {middle === undefined ? null : <p class="muted">Median duration: {formatDuration(middle)}</p>}
    </Panel>
  );
}
