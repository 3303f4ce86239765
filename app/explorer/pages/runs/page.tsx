import { outcomeColumns } from "#storage/states/node-state.ts";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { href, useEnvironment, useText } from "../address/address.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { SearchField } from "../list/search-field.tsx";
import { and, contains, inEnvironment, literal, query } from "../pql/text.ts";
import { useTimeRange } from "../time/range.ts";
import { heatColumns, heatRows, isFlapping, type NodeRun, nodesToShow, type RunCount } from "./heat-map.ts";
import { HeatMap } from "./heat-map.tsx";

/** Nodes of which runs are counted, times their statuses. */
const MOST_COUNTS = 20_000;

/** Which nodes keep failing and recovering? The runs of nodes over time, those that flap first. */
export default function RunsPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [needle, setNeedle] = useText("q");
  const inRange = and(
    `producer_timestamp >= ${literal(range.from)}`,
    `producer_timestamp <= ${literal(range.to)}`,
    inEnvironment("reports", environment),
  );
  const failing = `certname in ${query("reports", { select: ["certname"], where: and('status = "failed"', inRange) })}`;
  const counts = useQuery<RunCount>({
    name: needle === "" ? "Runs of nodes that failed" : "Runs of nodes",
    pql: query("reports", {
      select: ["certname", "status", "count()"],
      where: and(inRange, contains(needle, "certname") ?? failing),
      groupBy: ["certname", "status"],
    }),
    limit: MOST_COUNTS,
  });
  const { shown, all } = useMemo(() => nodesToShow(counts.value ?? []), [counts.value]);
  const pql = query("reports", {
    select: ["certname", "hash", "end_time", ...outcomeColumns],
    where: and(inRange, `certname in [${shown.map((name) => literal(name)).join(", ")}]`),
    orderBy: ["certname", "end_time"],
  });
  const runs = useQuery<NodeRun>(shown.length === 0 ? undefined : { name: "Runs of the nodes that are shown", pql });
  const columns = useMemo(() => heatColumns(range.from, range.to), [range]);
  const rows = useMemo(() => heatRows(runs.value ?? [], columns), [runs.value, columns]);
  const isEmpty = counts.value !== undefined && shown.length === 0;
  const flapping = rows.filter(isFlapping).length;
  return (
    <Page
      title="Runs by node"
      before={<a href={href("reports")}>Reports</a>}
      beside={
        <span class="muted" role="status">
          {runs.value === undefined || isEmpty ? "" : `${flapping.toLocaleString()} flapping in the ${range.label}`}
        </span>
      }
      actions={<ExportMenu name="runs" pql={pql} />}
    >
      <p>
        <SearchField label="Certname" value={needle} onChange={(value) => setNeedle(value, { push: false })} isFilter />
      </p>
      <Panel
        title={needle === "" ? "Nodes that failed" : "Nodes"}
        loaded={isEmpty ? counts : [counts, runs]}
        height={300}
        empty={
          isEmpty ? (
            <p>
              {needle === "" ? "No run failed" : "No node ran"} in the {range.label}.
            </p>
          ) : undefined
        }
      >
        <HeatMap rows={rows} columns={columns} />
        <p class="muted">
          A node flaps when its runs changed at least twice between failing and not.
          {shown.length < all
            ? ` Shown are ${shown.length.toLocaleString()} of ${all.toLocaleString()} nodes: those that can have changed most often.`
            : ""}
        </p>
      </Panel>
    </Page>
  );
}
