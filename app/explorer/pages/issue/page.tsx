import type { JSX } from "preact";
import { useRoute } from "preact-iso";
import { href, useEnvironment } from "../address/address.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import type { IssueDetail } from "#storage/issues/issue.ts";
import { about } from "../data/about.ts";
import { PrecedingPanel } from "./preceding-panel.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Panel, Problem } from "../frame/panel.tsx";
import { countedLabel, Tabs } from "../frame/tabs.tsx";
import { useGrowing } from "../list/growing.tsx";
import { type SmallColumn, SmallTable } from "../list/small-table.tsx";
import { FoldedText, IssueKind, IssueResource, IssueStateBadge, Spread } from "../issues/subject.tsx";
import { runBars, selectRange } from "../overview/runs.tsx";
import { literal } from "../pql/text.ts";
import { SharedTraits } from "../traits/traits-panel.tsx";
import { useTimeRange } from "../time/range.ts";
import { formatTime, type TimeRange } from "../time/format.ts";
import { beginning, visibleText } from "../value/text.ts";
import { marked, Text } from "../value/value.tsx";
import { IssueNodes } from "./issue-nodes.tsx";
import { useIssue } from "../data/use-query.ts";
import { foldedParts, shortMessage } from "../issues/folded-parts.ts";
import { Term } from "../report/summary.tsx";
import { Age } from "../time/age.tsx";
import { Place, ResourceLink } from "../value/resource-link.tsx";

interface IssueSummaryProps {
  readonly detail: IssueDetail;
}

/** Whether an issue still burns, since when, what it began with, and where it is in the code. */
function IssueSummary({ detail }: IssueSummaryProps): JSX.Element {
  const { issue, begin } = detail;
  const hasExactTitle = issue.title !== null && foldedParts(issue.title).every(({ isFolded }) => !isFolded);
  return (
    <dl class="report-summary">
      <Term name="Nodes">
        <Spread issue={issue} />
      </Term>
      <Term name="Failures">{issue.events.toLocaleString()}</Term>
      <Term name="First seen">
        <Age time={issue.first} />
      </Term>
      <Term name="Last seen">
        <Age time={issue.last} />
      </Term>
      <Term name="First run with it">
        <a href={href("report", [begin.report])}>{formatTime(begin.time)}</a> on{" "}
        <a href={href("node", [begin.certname])}>
          <bdi>{marked(begin.certname)}</bdi>
        </a>
      </Term>
      <Term name="Code version then">
        <bdi>{marked(begin.version)}</bdi>
        {begin.versionBefore === null ? (
          <span class="muted"> (no earlier run is stored)</span>
        ) : begin.versionBefore === begin.version ? (
          <span class="muted"> as in the run before</span>
        ) : (
          <>
            {" "}
            after <bdi>{marked(begin.versionBefore)}</bdi>
          </>
        )}
      </Term>
      {issue.type !== null && issue.title !== null && hasExactTitle ? (
        <Term name="Resource">
          <ResourceLink resource={{ type: issue.type, title: issue.title }} />
        </Term>
      ) : null}
      {issue.elsewhere === 0 ? null : (
        <Term name="Same message elsewhere">
          <a href={href("issues", [], { common: issue.common })}>
            {issue.elsewhere.toLocaleString()} {issue.elsewhere === 1 ? "issue" : "issues"}
          </a>
        </Term>
      )}
      {issue.class === null ? null : (
        <Term name="Class">
          <a href={href("classes", [], { class: issue.class })}>
            <bdi>{marked(issue.class)}</bdi>
          </a>
        </Term>
      )}
      {issue.place === null ? null : (
        <Term name="Place">
          <Place file={issue.place.file} line={issue.place.line} />
        </Term>
      )}
      <Term name="Environments">
        <bdi>{marked(issue.environments.join(", "))}</bdi>
      </Term>
    </dl>
  );
}

/** One issue: how far it reaches, and since when. */
export default function IssuePage(): JSX.Element {
  const { id = "" } = useRoute().params;
  const range = useTimeRange();
  const loaded = useIssue(id, { range, environment: useEnvironment() });
  const detail = loaded.value;
  const back = <a href={href("issues")}>‹ Issues</a>;
  if (detail === undefined) {
    return (
      <Page title="Issue" before={back}>
        {loaded.error === undefined ? <Loading loaded={loaded} height={400} /> : <Problem loaded={loaded} />}
      </Page>
    );
  }
  const { issue } = detail;
  const selection = `certname in [${detail.nodes.map(({ certname }) => literal(certname)).join(", ")}]`;
  return (
    <Page
      title="Issue"
      tabTitle={`${visibleText(beginning(shortMessage(issue.message), 80))} · Issue`}
      before={back}
      beside={
        <>
          <IssueKind kind={issue.kind} />
          {issue.type === null || issue.title === null ? null : <IssueResource issue={issue} />}
          <IssueStateBadge state={issue.state} />
        </>
      }
    >
      <p class="issue-headline wrap">
        <FoldedText text={shortMessage(issue.message)} />
      </p>
      <IssueSummary detail={detail} />
      <Tabs
        label="Parts of the issue"
        tabs={[
          { key: "nodes", label: "Nodes", content: <IssueNodes loaded={loaded} /> },
          { key: "runs", label: "Runs", content: <IssueRuns detail={detail} range={range} /> },
          {
            key: "messages",
            label: countedLabel("Messages", detail.messages.length),
            content: <Messages messages={detail.messages} />,
          },
          { key: "share", label: "What these nodes share", content: <SharedTraits selection={selection} /> },
          ...(about.value?.history == null
            ? []
            : [
                {
                  key: "preceding",
                  label: "What changed before",
                  content: <PrecedingPanel id={id} range={range} />,
                },
              ]),
        ]}
      />
    </Page>
  );
}

/** The runs that have the issue, over time. */
function IssueRuns({ detail, range }: { readonly detail: IssueDetail; readonly range: TimeRange }): JSX.Element {
  return (
    <Panel title="Runs with this issue">
      <StackedBars
        label="Runs with this issue"
        noun="runs"
        {...runBars(detail.histogram, new Set())}
        to={range.to}
        height={120}
        onRange={selectRange}
      />
    </Panel>
  );
}

const messageColumns: readonly SmallColumn<IssueDetail["messages"][number]>[] = [
  ["Times", ({ count }) => count.toLocaleString(), "number"],
  ["Message", ({ message }) => <Text text={message} isMultiline />, "wrap"],
];

/** The messages as they were sent: nothing is hidden by joining them. */
function Messages({ messages }: { readonly messages: IssueDetail["messages"] }): JSX.Element {
  const { shown, more } = useGrowing(messages, { step: 100, noun: "messages" });
  return (
    <Panel title={messages.length === 1 ? "The message as it was sent" : "The messages that it joins"}>
      <SmallTable
        class="issue-messages"
        rows={shown}
        keyOf={({ message }) => message}
        head={-1}
        columns={messageColumns}
      />
      {more}
    </Panel>
  );
}
