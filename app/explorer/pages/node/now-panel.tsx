import type { ComponentChildren, JSX } from "preact";
import { href } from "../address/address.ts";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { query } from "../pql/text.ts";
import { lastOutcomeOf, silence, stateOf, states } from "../state/states.ts";
import { StateMark } from "../state/state-mark.tsx";
import { Age } from "../time/age.tsx";
import { durationOf, formatDuration } from "../time/format.ts";
import { Text } from "../value/value.tsx";
import { type Run, streakOf } from "./runs.ts";
import { isInactive, type NodeRow, ofNode } from "./use-node.ts";

export interface NowPanelProps {
  readonly node: NodeRow;
  /** Newest first; empty until they are there. */
  readonly runs: readonly Run[];
}

interface Compiled {
  readonly producer_timestamp: string;
}

/** The state and why, and how old everything is that is known. */
export function NowPanel({ node, runs }: NowPanelProps): JSX.Element {
  const state = stateOf(node, silence.value);
  const last = lastOutcomeOf(node);
  const declared = states.find(({ key }) => key === state);
  const where = ofNode(node.certname, { isInactive: isInactive(node) });
  const streak = streakOf(runs);
  const catalog = useQuery<Compiled>({
    name: "When the catalog was compiled",
    pql: query("catalogs", { select: ["producer_timestamp"], where }),
  });
  const factset = useQuery<Compiled>({
    name: "When the facts were sent",
    pql: query("factsets", { select: ["producer_timestamp"], where }),
  });
  const compiled = catalog.value?.[0]?.producer_timestamp ?? node.catalog_timestamp;
  const resources = useQuery<{ readonly count: number }>({
    name: "Number of resources",
    pql: query("resources", { select: ["count()"], where }),
  });
  const [run] = runs;
  const duration = run === undefined ? undefined : durationOf(run);
  const count = resources.value?.[0]?.count;
  return (
    <Panel title="Now">
      <p>
        <StateMark state={state} />: {declared?.meaning}
        {state === "silent" && last !== undefined ? (
          <>
            {" "}
            Its last run: <StateMark state={last} />.
          </>
        ) : null}
        {streak === undefined ? null : (
          <>
            {" "}
            The last {streak.runs} runs were so, the first of them <Age time={streak.since} />.
          </>
        )}
      </p>
      <dl class="facts-list">
        <Item name="Report">
          {node.latest_report_hash === null ? (
            "none"
          ) : (
            <a href={href("report", [node.latest_report_hash])}>
              <Age time={node.report_timestamp} />
            </a>
          )}
          {duration === undefined ? null : `, took ${formatDuration(duration)}`}
        </Item>
        <Item name="Catalog">
          {compiled === null ? (
            "none"
          ) : (
            <>
              <a href={href("node", [node.certname, "catalog"])}>
                <Age time={compiled} />
              </a>
              {count === undefined ? null : `, ${count.toLocaleString()} resources`}
              {isStale(compiled, node.report_timestamp) ? (
                <strong title="The latest run used a catalog that is more than a day older: no new one was compiled since">
                  {" "}
                  stale
                </strong>
              ) : null}
            </>
          )}
        </Item>
        <Item name="Facts">
          {node.facts_timestamp === null ? (
            "none"
          ) : (
            <a href={href("node", [node.certname, "facts"])}>
              <Age time={factset.value?.[0]?.producer_timestamp ?? node.facts_timestamp} />
            </a>
          )}
        </Item>
        <Item name="Environment">
          <Environments node={node} />
        </Item>
        <Item name="Producer">
          <Optional text={run?.producer} />
        </Item>
        <Item name="Agent">
          <Optional text={run?.puppet_version} />
        </Item>
        <Item name="Configuration version">
          <Optional text={run?.configuration_version} />
        </Item>
        {node.deactivated === null ? null : (
          <Item name="Deactivated">
            <Age time={node.deactivated} />
          </Item>
        )}
        {node.expired === null ? null : (
          <Item name="Expired">
            <Age time={node.expired} />
          </Item>
        )}
      </dl>
    </Panel>
  );
}

/** A name with what belongs to it. */
export function Item({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Optional({ text }: { readonly text: string | null | undefined }): JSX.Element {
  return text === null || text === undefined || text === "" ? <span class="muted">–</span> : <Text text={text} />;
}

/** One environment where all agree. */
function Environments({ node }: { readonly node: NodeRow }): JSX.Element {
  const { report_environment: report, catalog_environment: catalog, facts_environment: facts } = node;
  const known = [...new Set([report, catalog, facts])].filter((one) => one !== null);
  if (known.length < 2) return <Optional text={known[0]} />;
  return (
    <>
      report <Optional text={report} />, catalog <Optional text={catalog} />, facts <Optional text={facts} />
    </>
  );
}

/** A run gets its catalog shortly before it sends its report. */
const STALE_MS = 24 * 3_600_000;

function isStale(catalog: string | null, report: string | null): boolean {
  return catalog !== null && report !== null && Date.parse(report) - Date.parse(catalog) > STALE_MS;
}
