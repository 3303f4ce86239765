import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { opening } from "../data/about.ts";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import { type NodeStateRow, silence, stateCondition, stateFields } from "../state/states.ts";
import { LastFailure, StateMark } from "../state/state-mark.tsx";
import { Age } from "../time/age.tsx";
import { formatSpan } from "../time/format.ts";
import { medianGap } from "./gaps.ts";
import { stateCounts, useStateCounts } from "./state-bar.tsx";
import { counted } from "../value/text.ts";

interface SilentNode extends NodeStateRow {
  readonly certname: string;
}

interface Run {
  readonly certname: string;
  readonly producer_timestamp: string;
}

const SHOWN = 10;
/** Reports of each node from which its interval is computed. */
const RUNS = 20;

/** The nodes that stopped to report most recently, and how often they reported before. */
export function SilentNodes({ environment }: { readonly environment: string | undefined }): JSX.Element {
  const where = inEnvironment("nodes", environment);
  const loaded = useQuery<SilentNode>({
    name: "Nodes that went silent",
    pql: query("nodes", {
      select: ["certname", ...stateFields(silence.value)],
      where: and(stateCondition("silent", silence.value), where),
      orderBy: ["report_timestamp desc", "certname"],
      limit: SHOWN,
    }),
  });
  const nodes = loaded.value ?? [];
  const certnames = nodes.map(({ certname }) => literal(certname)).join(", ");
  const runs = useQuery<Run>(
    nodes.length === 0
      ? undefined
      : {
          name: "Earlier runs of silent nodes",
          pql: query("reports", {
            select: ["certname", "producer_timestamp"],
            where: `certname in [${certnames}]`,
            orderBy: ["producer_timestamp desc"],
            limit: SHOWN * RUNS,
          }),
        },
  );
  // The same request as that of the bar of states.
  const missing = stateCounts(useStateCounts(environment).value?.facets[0]).get("never") ?? 0;
  return (
    <Panel
      title="Went silent"
      loaded={loaded}
      actions={
        nodes.length < SHOWN ? undefined : <a href={href("nodes", [], { f: 'state="silent"' })}>All silent nodes</a>
      }
      height={160}
    >
      {nodes.length === 0 && opening.value === undefined ? <p>Every node that ever reported still does.</p> : null}
      <table class="wide">
        <caption class="visually-hidden">Nodes that went silent, the latest first</caption>
        <tbody>
          {nodes.map((node) => {
            const { certname, report_timestamp } = node;
            return (
              <tr key={certname}>
                <td class="wrap">
                  <a href={href("node", [certname])}>{certname}</a> <LastFailure node={node} />
                </td>
                <td>
                  <Age time={report_timestamp} />
                </td>
                <td class="muted">{interval(runs.value ?? [], certname)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {missing === 0 ? null : (
        <p class="never-reported">
          <StateMark state="never" label={false} />{" "}
          <a href={href("nodes", [], { f: 'state="never"' })}>{counted(missing, "node")} never reported</a>
        </p>
      )}
    </Panel>
  );
}

function interval(runs: readonly Run[], certname: string): string {
  const times = runs.filter((run) => run.certname === certname).map((run) => Date.parse(run.producer_timestamp));
  const gap = medianGap(times);
  return gap === undefined ? "" : `before: every ${formatSpan(gap / 1000)}`;
}
