import type { JSX } from "preact";
import { href, useEnvironment, useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { ClassList } from "./class-list.tsx";
import { Page } from "../frame/page.tsx";
import { literal } from "../pql/text.ts";
import { ResourceEvents } from "../resource/resource-events.tsx";
import { ResourceUse } from "../resource/resource-use.tsx";
import { beginning, visibleText } from "../value/text.ts";
import { Contained } from "./contained.tsx";
import { useIssues } from "../data/use-issues.ts";
import { Panel } from "../frame/panel.tsx";
import { IssueItem } from "../issues/issue-item.tsx";
import { useTimeRange } from "../time/range.ts";

/** Issues that are listed; the page of issues has the others. */
const SHOWN = 10;

/** What fails in a class. */
function ClassIssues({ name }: { readonly name: string }): JSX.Element {
  const range = useTimeRange();
  const loaded = useIssues({
    name: "Issues of the class",
    range,
    environment: useEnvironment(),
    class: name,
    limit: SHOWN,
  });
  const issues = loaded.value?.issues ?? [];
  return (
    <Panel
      title="Issues"
      loaded={loaded}
      height={40}
      empty={
        loaded.value !== undefined && issues.length === 0 ? (
          <p class="muted">None of its resources failed in the {range.label}.</p>
        ) : undefined
      }
    >
      <ul class="issue-items">
        {issues.map((issue) => (
          <IssueItem key={issue.id} issue={issue} span={range.label} />
        ))}
      </ul>
    </Panel>
  );
}

const codec = text();

/** All classes that catalogs use, or one of them. */
export default function ClassesPage(): JSX.Element {
  const [name] = useParameter("class", codec);
  return name === "" ? <ClassList /> : <OneClass key={name} name={name} />;
}

/** One class: where it fails, its nodes and parameters, what it contains. */
function OneClass({ name }: { readonly name: string }): JSX.Element {
  const heading = visibleText(beginning(name, 200));
  return (
    <Page title={heading} tabTitle={`${heading} · Classes`} before={<a href={href("classes")}>‹ Classes</a>}>
      <ClassIssues name={name} />
      <ResourceUse resource={{ type: "Class", title: name }} />
      <Contained name={name} />
      <ResourceEvents where={`containing_class = ${literal(name)}`} namesResource />
    </Page>
  );
}
