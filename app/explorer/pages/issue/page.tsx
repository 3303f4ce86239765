import type { JSX } from "preact";
import { useRoute } from "preact-iso";
import { changeParameters, href, useEnvironment } from "../address/address.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import type { IssueDetail } from "#storage/issues/issue.ts";
import { about } from "../data/about.ts";
import { useIssue } from "../data/use-issue.ts";
import { PrecedingPanel } from "./preceding-panel.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Panel, Problem } from "../frame/panel.tsx";
import { countedLabel, Tabs } from "../frame/tabs.tsx";
import { useGrowing } from "../list/growing.tsx";
import { FoldedText } from "../issues/folded-text.tsx";
import { shortMessage } from "../issues/short-message.ts";
import { IssueKind, IssueResource, IssueStateBadge } from "../issues/subject.tsx";
import { runBars } from "../overview/runs.tsx";
import { literal } from "../pql/text.ts";
import { SharedTraits } from "../traits/traits-panel.tsx";
import { useTimeRange } from "../time/range.ts";
import type { TimeRange } from "../time/format.ts";
import { beginning, visibleText } from "../value/text.ts";
import { Text } from "../value/value.tsx";
import { IssueNodes } from "./issue-nodes.tsx";
import { IssueSummary } from "./issue-summary.tsx";

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
          { key: "nodes", label: "Nodes", show: () => <IssueNodes loaded={loaded} /> },
          { key: "runs", label: "Runs", show: () => <IssueRuns detail={detail} range={range} /> },
          {
            key: "messages",
            label: countedLabel("Messages", detail.messages.length),
            show: () => <Messages messages={detail.messages} />,
          },
          { key: "share", label: "What these nodes share", show: () => <SharedTraits selection={selection} /> },
          ...(about.value?.history == null
            ? []
            : [{ key: "preceding", label: "What changed before", show: () => <PrecedingPanel id={id} range={range} /> }]),
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
        onRange={(from, to) => changeParameters({ from: from.toISOString(), to: to.toISOString(), last: undefined })}
      />
    </Panel>
  );
}

/** The messages as they were sent: nothing is hidden by joining them. */
function Messages({ messages }: { readonly messages: IssueDetail["messages"] }): JSX.Element {
  const { shown, more } = useGrowing(messages, { step: 100, noun: "messages" });
  return (
    <Panel title={messages.length === 1 ? "The message as it was sent" : "The messages that it joins"}>
      <table class="issue-messages">
        <thead>
          <tr>
            <th scope="col" class="number">
              Times
            </th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ message, count }) => (
            <tr key={message}>
              <td class="number">{count.toLocaleString()}</td>
              <td class="wrap">
                <Text text={message} isMultiline />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </Panel>
  );
}
