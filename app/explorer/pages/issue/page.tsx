import type { JSX } from "preact";
import { useRoute } from "preact-iso";
import { changeParameters, href, useParameter } from "../address/address.ts";
import { flag } from "../address/codecs.ts";
import { useEnvironment } from "../address/address.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import type { IssueDetail } from "#storage/issues/issue.ts";
import { about } from "../data/about.ts";
import { useIssue } from "../data/use-issue.ts";
import { PrecedingPanel } from "./preceding-panel.tsx";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { Loading, Problem } from "../frame/panel.tsx";
import { useGrowing } from "../list/growing.tsx";
import { FoldedText } from "../issues/folded-text.tsx";
import { shortMessage } from "../issues/short-message.ts";
import { IssueKind, IssueResource, IssueStateBadge } from "../issues/subject.tsx";
import { runBars } from "../overview/runs.tsx";
import { literal } from "../pql/text.ts";
import { SharedTraits } from "../traits/shared-traits.tsx";
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
      <IssueNodes loaded={loaded} />
      <IssueRuns detail={detail} range={range} />
      <SharedTraits selection={`certname in [${detail.nodes.map(({ certname }) => literal(certname)).join(", ")}]`} />
      {about.value?.history == null ? null : <IssuePreceding id={id} range={range} />}
      <Messages messages={detail.messages} />
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

/** What changed on the nodes before they had the issue, when somebody wants to know. */
function IssuePreceding({ id, range }: { readonly id: string; readonly range: TimeRange }): JSX.Element {
  const environment = useEnvironment();
  const [isShown, setIsShown] = useParameter("preceding", flag);
  if (isShown) {
    return <PrecedingPanel id={id} range={range} environment={environment} onClose={() => setIsShown(false)} />;
  }
  return (
    <p>
      <button type="button" onClick={() => setIsShown(true)}>
        What changed shortly before?
      </button>
    </p>
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
