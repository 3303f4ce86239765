import type { JSX } from "preact";
import { longerRule } from "#storage/display/run-time.ts";
import { typeName } from "#storage/display/type-name.ts";
import type { SlowerNodes, SlowestTypes } from "#storage/query/run-times/answer.ts";
import { href, useEnvironment } from "../address/address.ts";
import type { LinePoint, Series } from "../charts/axis.ts";
import { Line } from "../charts/line.tsx";
import { useAnswer } from "../data/use-data.ts";
import { useHistogram } from "../data/use-query.ts";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { useFew } from "../list/growing.tsx";
import { type SmallColumn, SmallTable } from "../list/small-table.tsx";
import { and, inEnvironment, query } from "../pql/text.ts";
import { Name } from "../table/cells.tsx";
import { formatDuration } from "../time/format.ts";
import { useStoredDays } from "../time/range.ts";
import { marked } from "../value/value.tsx";

/** Why are the runs slow? Since when, on which types of resources, and on which nodes. */
export default function RunTimesPage(): JSX.Element {
  const environment = useEnvironment();
  return (
    <Page
      title="Run times"
      before={<a href={href("reports")}>Reports</a>}
      actions={<a href={href("runs")}>Runs by node</a>}
    >
      <OverTime environment={environment} />
      <div class="panels">
        <Types environment={environment} />
        <Nodes environment={environment} />
      </div>
    </Page>
  );
}

interface Props {
  readonly environment: string | undefined;
}

const series: readonly Series[] = [
  { key: "median", label: "half of the runs within", token: "value" },
  { key: "p95", label: "95 % within", token: "value-2" },
];

/** Over the days of which reports are stored. */
function OverTime({ environment }: Props): JSX.Element {
  const { range, buckets } = useStoredDays();
  const loaded = useHistogram({
    name: "Run times over time",
    range,
    buckets,
    entity: "reports",
    where: inEnvironment("reports", environment),
    measure: "duration",
  });
  const points = (loaded.value?.buckets ?? []).map(([from, , median = null, p95 = null]): LinePoint => [
    Date.parse(from),
    median,
    p95,
  ]);
  return (
    <Panel
      title="Run time"
      loaded={loaded}
      height={190}
      actions={<span class="muted">{`${range.label}, in steps of ${loaded.value?.unit ?? "1 d"}`}</span>}
      empty={loaded.value !== undefined && points.length === 0 ? <p>No run in the {range.label}.</p> : undefined}
    >
      <Line label="Run time" series={series} points={points} x="time" format={axisText} />
    </Panel>
  );
}

const MINUTE = 60;

/** Short enough for an axis. @param seconds of a run */
function axisText(seconds: number): string {
  const [number, unit] = seconds < 2 * MINUTE ? [seconds, "s"] : [seconds / MINUTE, "min"];
  return `${number.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}

/** Rows that are shown at first. */
const FEW = 10;

const typeColumns: readonly SmallColumn<SlowestTypes["types"][number]>[] = [
  [
    "Type",
    ({ type }) => <a href={href("resources", [], { type: typeName(type) })}>{marked(typeName(type))}</a>,
    "wrap",
  ],
  ["In all", ({ seconds }) => formatDuration(seconds), "number"],
  ["Nodes", ({ runs }) => runs.toLocaleString(), "number"],
  ["Mean", ({ seconds, runs }) => formatDuration(seconds / runs), "number"],
  ["Longest", ({ longest, report }) => <a href={href("report", [report])}>{formatDuration(longest)}</a>, "number"],
];

/** What the latest runs spent their time on. */
function Types({ environment }: Props): JSX.Element {
  const loaded = useAnswer("run-times/types", {
    name: "Slowest types of resources",
    pql: query("reports", {
      select: ["certname", "metrics"],
      where: and("latest_report? = true", inEnvironment("reports", environment)),
    }),
    adds: "which adds up the times of each type of resource",
    parameters: { env: environment },
  });
  const { types = [] } = loaded.value ?? {};
  const { shown, more } = useFew(types, FEW, "types");
  return (
    <Panel
      title="Slowest types of resources"
      loaded={loaded}
      height={300}
      actions={<span class="muted">latest run of each node</span>}
      empty={loaded.value !== undefined && types.length === 0 ? <p>No report has times.</p> : undefined}
    >
      <SmallTable class="wide" label="Slowest types" columns={typeColumns} rows={shown} keyOf={({ type }) => type} />
      {more}
      <p class="muted">
        Reports have no times of single resources; <code>puppet agent --test --evaltrace</code> prints those of a node.
      </p>
    </Panel>
  );
}

const nodeColumns: readonly SmallColumn<SlowerNodes["nodes"][number]>[] = [
  [
    "Certname",
    ({ certname }) => (
      <a href={href("node", [certname, "reports"])}>
        <Name name={certname} />
      </a>
    ),
    "wrap",
  ],
  ["Before", ({ earlier }) => formatDuration(earlier), "number"],
  ["Now", ({ recent }) => formatDuration(recent), "number"],
  ["Factor", ({ factor }) => `× ${factor.toFixed(1)}`, "number"],
];

/** Which nodes need longer than they did. */
function Nodes({ environment }: Props): JSX.Element {
  const loaded = useAnswer("run-times/nodes", {
    name: "Nodes whose runs got longer",
    pql: query("reports", {
      select: ["certname", "producer_timestamp", "start_time", "end_time"],
      where: inEnvironment("reports", environment),
    }),
    adds: "which compares the last runs of each node with those before",
    parameters: { env: environment },
  });
  const { nodes = [] } = loaded.value ?? {};
  const { shown, more } = useFew(nodes, FEW, "nodes");
  return (
    <Panel title="Nodes whose runs got longer" loaded={loaded} height={300}>
      {nodes.length === 0 ? (
        <p>No node takes longer than before.</p>
      ) : (
        <SmallTable
          class="wide"
          label="Slower nodes"
          columns={nodeColumns}
          rows={shown}
          keyOf={({ certname }) => certname}
        />
      )}
      {more}
      <p class="muted">{longerRule}</p>
    </Panel>
  );
}
