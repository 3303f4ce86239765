import type { JSX } from "preact";
import { useRoute } from "preact-iso";
import { go, href, useSegment } from "../address/address.ts";
import { CatalogTab } from "./catalog-tab.tsx";
import { FactsTab } from "./facts-tab.tsx";
import { PackagesTab } from "./packages-tab.tsx";
import { NodeReportsTab } from "./reports-tab.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Panel, Problem } from "../frame/panel.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { SiteLinks } from "../site/site-links.tsx";
import { silence, stateLabels, stateOf } from "../state/states.ts";
import { StateMark } from "../state/state-mark.tsx";
import { beginning, visibleText } from "../value/text.ts";
import { NodeBadges } from "./node-badges.tsx";
import { type NodeRow, useNode } from "./use-node.ts";
import { about } from "../data/about.ts";
import { NodeChanges } from "../changes/node-changes.tsx";
import { Identity } from "./identity.tsx";
import { NowPanel } from "./now-panel.tsx";
import { median, type Run, useRuns } from "./runs.ts";
import { Strip } from "../charts/strip.tsx";
import { type Loaded, useData } from "../data/use-data.ts";
import { outcomeOf } from "#storage/states/node-state.ts";
import { durationOf, formatDuration, formatTime } from "../time/format.ts";
import { useState } from "preact/hooks";
import { useKeys } from "../frame/keys.ts";
import { Icon } from "../icons/icon.tsx";
import { lastList } from "../nodes/views.ts";
import { query } from "../pql/text.ts";
import type { Issue } from "#storage/issues/issue.ts";
import { FoldedText, IssueKind, IssueResource, IssueStateBadge } from "../issues/subject.tsx";
import { Age } from "../time/age.tsx";
import { useTimeRange } from "../time/range.ts";
import { useIssues } from "../data/use-query.ts";
import { shortMessage } from "../issues/folded-parts.ts";

const SHOWN = 5;

/** What fails on this node, and how many others have it: first what its latest run has, then what it has no more. */
function NodeIssues({ certname }: { readonly certname: string }): JSX.Element {
  const range = useTimeRange();
  const loaded = useIssues({ name: "Issues of this node", range, certname, limit: 100 });
  const { issues = [], total = 0 } = loaded.value ?? {};
  const now = issues.filter(({ isHere }) => isHere);
  const errors = now.filter(({ kind }) => kind !== "warning");
  const warnings = now.filter(({ kind }) => kind === "warning");
  const gone = issues.filter(({ isHere }) => !isHere);
  return (
    <Panel
      title="Issues here"
      loaded={loaded}
      height={90}
      empty={
        loaded.value !== undefined && issues.length === 0 ? <p>Nothing failed here in the {range.label}.</p> : undefined
      }
    >
      <IssueList issues={errors} />
      {warnings.length === 0 ? null : <p>The latest run did not fail, and said:</p>}
      <IssueList issues={warnings} />
      {gone.length === 0 ? null : (
        <details>
          <summary>
            {(total - now.length).toLocaleString()} in earlier runs of the {range.label}
          </summary>
          <IssueList issues={gone} />
        </details>
      )}
    </Panel>
  );
}

function IssueList({ issues }: { readonly issues: readonly Issue[] }): JSX.Element {
  return (
    <ul class="node-issues">
      {issues.slice(0, SHOWN).map((issue) => (
        <li key={issue.id}>
          <a class="wrap" href={href("issue", [issue.id])}>
            <FoldedText text={shortMessage(issue.message)} limit={300} />
          </a>
          <p class="muted wrap">
            <IssueKind kind={issue.kind} /> <IssueResource issue={issue} /> · {whoElse(issue)} · first{" "}
            <Age time={issue.first} /> {issue.state === "continuing" ? null : <IssueStateBadge state={issue.state} />}
          </p>
        </li>
      ))}
      {issues.length > SHOWN ? <li class="muted">{issues.length - SHOWN} more</li> : null}
    </ul>
  );
}

/** Of the whole fleet, as the page of the issue counts. */
function whoElse({ isHere, still }: Issue): string {
  if (!isHere) return still === 0 ? "no node has it now" : `on ${still.toLocaleString()} other ${nodes(still)} now`;
  return still === 1 ? "only here" : `on ${still.toLocaleString()} ${nodes(still)} now`;
}

function nodes(count: number): string {
  return count === 1 ? "node" : "nodes";
}

/** Nodes of the list that are fetched for going from one to the next. */
const MOST = 5000;

/** The list of nodes where one came from. */
function backHref(): string {
  return lastList.read()?.address ?? href("nodes");
}

/** The previous and next node of the list where one came from, and the place in it. */
function Neighbours({ certname, tab }: { readonly certname: string; readonly tab: string }): JSX.Element | null {
  const [{ pql, sort }] = useState(() => lastList.read() ?? { pql: query("nodes"), sort: ["certname"] });
  const loaded = useData<readonly { readonly certname: string }[]>({
    name: "The list of nodes",
    path: "/explorer/api/v1/rows",
    parameters: { query: pql, column: "certname", sort, limit: MOST, include_total: true, format: "json" },
  });
  const names = loaded.value ?? [];
  const at = names.findIndex((row) => row.certname === certname);
  const addressOf = (index: number): string | undefined => {
    const name = at === -1 ? undefined : names[index]?.certname;
    return name === undefined ? undefined : href("node", tab === "summary" ? [name] : [name, tab]);
  };
  const before = addressOf(at - 1);
  const after = addressOf(at + 1);
  const goTo = (address: string | undefined): void => {
    if (address !== undefined) go(address);
  };
  useKeys({ "[": () => goTo(before), "]": () => goTo(after) });
  if (at === -1) return null;
  return (
    <nav class="neighbours" aria-label="Nodes of the list">
      <Step address={before} label="Previous node ([)" icon="left" />
      <span class="muted">
        {(at + 1).toLocaleString()} of {(loaded.total ?? names.length).toLocaleString()}
      </span>
      <Step address={after} label="Next node (])" icon="right" />
    </nav>
  );
}

interface StepProps {
  readonly address: string | undefined;
  readonly label: string;
  readonly icon: "left" | "right";
}

function Step({ address, label, icon }: StepProps): JSX.Element {
  if (address === undefined) {
    return (
      <button type="button" class="tool" disabled aria-label={label}>
        <Icon name={icon} />
      </button>
    );
  }
  return (
    <a class="tool-link" href={address} aria-label={label} title={label}>
      <Icon name={icon} />
    </a>
  );
}

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
  const certname = useSegment("certname");
  const { tab = "summary" } = useRoute().params;
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
            <StateMark state={stateOf(node, silence.value)} />
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
              content: show(node),
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

/** The last runs as a strip: height is the duration, colour and shape are the state. */
function RunsPanel({ node, runs: loaded }: RunsPanelProps): JSX.Element {
  const runs = [...(loaded.value ?? [])].reverse();
  const durations = runs.flatMap((run) => durationOf(run) ?? []);
  const middle = median(durations);
  const longest = Math.max(0, ...durations);
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
        measure="duration"
        height={48}
        bars={runs.map((run) => {
          const state = outcomeOf(run);
          const seconds = durationOf(run);
          const length = seconds === undefined ? "" : `, ${formatDuration(seconds)}`;
          return {
            key: run.hash,
            href: href("report", [run.hash]),
            share: longest === 0 ? 0 : (seconds ?? 0) / longest,
            class: `series-${state}`,
            text: `${stateLabels[state]}, ${formatTime(run.end_time)}${length}`,
            mark: <StateMark state={state} label={false} />,
          };
        })}
      />
      {middle === undefined ? null : <p class="muted">Median duration: {formatDuration(middle)}</p>}
    </Panel>
  );
}
