import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { Spark } from "../charts/spark.tsx";
import { type Issue, useIssues } from "../data/use-issues.ts";
import { Panel } from "../frame/panel.tsx";
import { Age } from "../time/age.tsx";
import type { TimeRange } from "../time/span.ts";
import { Text } from "../value/value.tsx";

/** What fails on the most nodes. */
export function TopIssues({
  environment,
  range,
}: {
  readonly environment: string | undefined;
  readonly range: TimeRange;
}): JSX.Element {
  const loaded = useIssues({ name: "Issues on the most nodes", range, environment, limit: 5 });
  const { issues = [], total = 0 } = loaded.value ?? {};
  return (
    <Panel
      title="Issues"
      loaded={loaded}
      height={200}
      actions={<a href={href("issues")}>{total > issues.length ? `All ${total.toLocaleString()} issues` : "Issues"}</a>}
      empty={
        issues.length === 0 && loaded.value !== undefined ? <p>Nothing failed in the {range.label}.</p> : undefined
      }
    >
      <ul class="issue-list">
        {issues.map((issue) => (
          <li key={issue.id} class="issue-row">
            <a href={href("issue", [issue.id])}>
              <Text text={issue.message} />
            </a>
            <Spark values={issue.spark} label={`Events in the ${range.label}`} />
            <p class="muted wrap">
              {issueSubject(issue)} · {issue.nodes.toLocaleString()} {issue.nodes === 1 ? "node" : "nodes"} ·{" "}
              {issue.isNew ? <strong>new, </strong> : null}
              first <Age time={issue.first} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const kinds = {
  resource: "resource",
  catalog: "catalog",
  run: "run",
  hidden: "hidden behind a cached catalog",
} as const;

/** What an issue is about: a resource, or the part of the run that failed. */
export function issueSubject({ kind, type, title }: Pick<Issue, "kind" | "type" | "title">): JSX.Element {
  if (type === null) return <>{kinds[kind]}</>;
  return (
    <>
      {type}
      {title === null ? null : (
        <>
          [<Text text={title} />]
        </>
      )}
    </>
  );
}
