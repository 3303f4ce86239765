import type { JSX } from "preact";
import { href, useEnvironment } from "../address/address.ts";
import { Page } from "../frame/page.tsx";
import { useTimeRange } from "../time/range.ts";
import { Changes } from "./changes.tsx";
import { NodesOverTime, Runs } from "./runs.tsx";
import { SitePanels } from "./site-panels.tsx";
import { SilentNodes } from "./silent-nodes.tsx";
import { StateBar, statesInOrder } from "./state-bar.tsx";
import { about, isNothingStored, latest } from "../data/about.ts";
import { useFacets, useIssues, useQuery } from "../data/use-query.ts";
import { inEnvironment, query } from "../pql/text.ts";
import { counted } from "../value/text.ts";
import { CopyButton } from "../frame/dialog.tsx";
import { Spark } from "../charts/spark.tsx";
import { Panel } from "../frame/panel.tsx";
import { FoldedText, IssueKind, IssueResource, Spread } from "../issues/subject.tsx";
import { Age } from "../time/age.tsx";
import type { TimeRange } from "../time/format.ts";
import { shortMessage } from "../issues/folded-parts.ts";
import { StateMark } from "../state/state-mark.tsx";
import { Text } from "../value/value.tsx";

/** How many nodes of each environment are in each state. */
function Environments(): JSX.Element | null {
  const several = (about.value?.environments.length ?? 0) > 1;
  const loaded = useFacets(
    several
      ? {
          name: "States by environment",
          entity: "nodes",
          where: "report_environment is not null",
          facets: [["report_environment", "state"]],
          limit: 1000,
        }
      : undefined,
  );
  if (!several) return null;
  const counts = new Map<string, Map<string, number>>();
  for (const { value, count } of loaded.value?.facets[0]?.values ?? []) {
    const [environment, state] = Array.isArray(value) ? value.map(String) : [];
    if (environment === undefined || state === undefined) continue;
    const states = counts.get(environment) ?? new Map<string, number>();
    states.set(state, count);
    counts.set(environment, states);
  }
  const used = statesInOrder.filter((key) => [...counts.values()].some((states) => states.has(key)));
  return (
    <Panel title="Environments" loaded={loaded} height={140}>
      <div class="scroll-x">
        <table class="wide environment-counts">
          <thead>
            <tr>
              <th scope="col">Environment</th>
              {used.map((key) => (
                <th key={key} scope="col" class="number">
                  <StateMark state={key} label={false} />
                </th>
              ))}
              <th scope="col" class="number">
                Nodes
              </th>
            </tr>
          </thead>
          <tbody>
            {[...counts].map(([environment, states]) => (
              <tr key={environment}>
                <th scope="row" class="wrap">
                  <a href={href("overview", [], { env: environment })}>
                    <Text text={environment} />
                  </a>
                </th>
                {used.map((key) => (
                  <td key={key} class="number">
                    {states.has(key) ? (
                      <a href={href("nodes", [], { env: environment, f: `state=${JSON.stringify(key)}` })}>
                        {states.get(key)?.toLocaleString()}
                      </a>
                    ) : (
                      <span class="muted">–</span>
                    )}
                  </td>
                ))}
                <td class="number">{[...states.values()].reduce((sum, count) => sum + count, 0).toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** Characters of a message; the page of the issue has all. */
const SHOWN = 300;

/** What burns: the issues that the most nodes still have. */
function TopIssues({
  environment,
  range,
}: {
  readonly environment: string | undefined;
  readonly range: TimeRange;
}): JSX.Element {
  const loaded = useIssues({ name: "Issues on the most nodes now", range, environment, limit: 5 });
  const { issues: listed = [], total = 0 } = loaded.value ?? {};
  const issues = listed.filter(({ still }) => still > 0);
  return (
    <Panel
      title="Issues now"
      loaded={loaded}
      height={200}
      actions={<a href={href("issues")}>{total > issues.length ? `All ${counted(total, "issue")}` : "Issues"}</a>}
      empty={
        issues.length === 0 && loaded.value !== undefined ? (
          <p>
            {total === 0 ? `Nothing failed in the ${range.label}.` : `What failed in the ${range.label} is resolved.`}
          </p>
        ) : undefined
      }
    >
      <ul class="issue-list">
        {issues.map((issue) => (
          <li key={issue.id} class="issue-row">
            <a href={href("issue", [issue.id])}>
              <FoldedText text={shortMessage(issue.message)} limit={SHOWN} />
            </a>
            <Spark
              values={issue.spark}
              label={`Nodes with it in the ${range.label}`}
              token={issue.kind === "warning" ? "hidden" : "failed"}
            />
            <p class="muted wrap">
              <IssueKind kind={issue.kind} /> <IssueResource issue={issue} /> · <Spread issue={issue} /> ·{" "}
              {issue.state === "new" || issue.state === "regressed" ? <strong>{issue.state}, </strong> : null}
              first <Age time={issue.first} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Shown while nothing is stored: how data get here. */
function FirstSteps(): JSX.Element {
  const { origin } = location;
  const steps: readonly (readonly [string, string])[] = [
    ["Send the facts of a node", firstCommand(origin)],
    ["Import an archive of PuppetDB or Census into this server", `census import export.tgz --url ${origin}`],
    ["Look at an archive without a server", "census open export.tgz"],
  ];
  return (
    <>
      <p>Nothing is stored yet. Data come in one of these ways:</p>
      <dl>
        {steps.map(([does, command]) => (
          <>
            <dt>{does}</dt>
            <dd>
              <code>{command}</code>{" "}
              <CopyButton class="plain" text={command} label={`Copy: ${command}`}>
                Copy
              </CopyButton>
            </dd>
          </>
        ))}
        <dt>Let agents report</dt>
        <dd>
          Name this server in <code>puppetdb.conf</code> of the Puppet servers: <code>server_urls = {origin}</code>
        </dd>
      </dl>
    </>
  );
}

function firstCommand(origin: string): string {
  const facts = {
    certname: "web-01.example.com",
    environment: "production",
    producer_timestamp: new Date().toISOString(),
    producer: "puppet.example.com",
    values: { kernel: "Linux" },
  };
  const url = `${origin}/pdb/cmd/v1?command=replace_facts&version=5&certname=${facts.certname}`;
  return `curl -X POST '${url}' -H 'Content-Type: application/json' -d '${JSON.stringify(facts)}'`;
}

/** Longer ago than anything that is stored: the page of reports then shows as many as are counted here. */
const ALL = "9999d";

/** How much is stored, of one environment or of all. */
function Figures({ environment }: { readonly environment: string | undefined }): JSX.Element | null {
  const all = about.value?.counts;
  const nodes = useCount("nodes", environment);
  const resources = useCount("resources", environment);
  const reports = useCount("reports", environment);
  const counts = environment === undefined ? all : { nodes, resources, reports, inactive: 0 };
  if (counts?.nodes === undefined || counts.resources === undefined || counts.reports === undefined) return null;
  const waiting = latest.value?.store.commandsWaiting ?? 0;
  return (
    <span class="muted">
      <a href={href("nodes")}>{counted(counts.nodes, "node")}</a>
      {counts.inactive === 0 ? "" : ` and ${counts.inactive.toLocaleString()} inactive`} ·{" "}
      <a href={href("resources")}>{counted(counts.resources, "resource")}</a> ·{" "}
      <a href={href("reports", [], { last: ALL })}>{counted(counts.reports, "report")}</a>
      {waiting === 0 ? null : (
        <>
          {" "}
          · <a href={href("status")}>{counted(waiting, "command")} waiting</a>
        </>
      )}
    </span>
  );
}

/** How many rows of an entity an environment has; undefined for all environments, and until it is known. */
function useCount(entity: string, environment: string | undefined): number | undefined {
  const loaded = useQuery<{ readonly count: number }>(
    environment === undefined
      ? undefined
      : {
          name: `Number of ${entity}`,
          pql: query(entity, { select: ["count()"], where: inEnvironment(entity, environment) }),
        },
  );
  return loaded.value?.[0]?.count;
}

/** Is the fleet well, and what changed? */
export default function OverviewPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  if (isNothingStored()) {
    return (
      <Page title="Overview">
        <FirstSteps />
      </Page>
    );
  }
  return (
    <Page title="Overview" beside={<Figures environment={environment} />}>
      <StateBar environment={environment} />
      <div class="panels">
        <TopIssues environment={environment} range={range} />
        <SilentNodes environment={environment} />
      </div>
      <SitePanels />
      <div class="panels">
        <Runs environment={environment} range={range} />
        <NodesOverTime environment={environment} />
      </div>
      <div class="panels">
        <Changes environment={environment} range={range} />
        <Environments />
      </div>
    </Page>
  );
}
