import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { about } from "../data/about.ts";
import { Panel } from "../frame/panel.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { formatTime } from "../time/format.ts";
import { useBeans } from "./use-beans.ts";

const RESOURCES = "puppetlabs.puppetdb.population:name=num-resources";
const PER_NODE = "puppetlabs.puppetdb.population:name=avg-resources-per-node";
const DEAD_LETTERS = "puppetlabs.puppetdb.dlo:name=global.messages";

/** The value of a gauge; undefined when it has none. */
function count(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** How much is stored, and of what. */
export function Stored(): JSX.Element {
  const known = about.value;
  const span = known?.span.reports;
  const { values } = useBeans([RESOURCES, PER_NODE, DEAD_LETTERS], "Value");
  const [resources, perNode, deadLetters] = (values ?? []).map(count);
  return (
    <Panel title="Stored">
      <dl class="facts">
        <dt>Nodes</dt>
        <dd>
          <a href={href("nodes")}>{known?.counts.nodes.toLocaleString()} active</a>,{" "}
          {known?.counts.inactive.toLocaleString()} inactive
        </dd>
        <dt>Reports</dt>
        <dd>
          <a href={href("reports")}>{known?.counts.reports.toLocaleString()}</a>
          {span === null || span === undefined ? "" : `, from ${formatTime(span[0])} to ${formatTime(span[1])}`}
        </dd>
        <dt>Resources</dt>
        <dd>
          <a href={href("resources")}>{resources?.toLocaleString() ?? "–"}</a>
          {perNode === undefined ? "" : `, ${Math.round(perNode).toLocaleString()} per node`}
        </dd>
        <dt>Environments</dt>
        <dd>{known?.environments.length.toLocaleString()}</dd>
        <dt>Packages</dt>
        <dd>{known?.features.packages === true ? "collected" : "not collected by any node"}</dd>
        <dt>Corrective changes</dt>
        <dd>
          {known?.features.correctiveChanges === true ? "stored" : "not stored (setting store-corrective-change)"}
        </dd>
        <dt>Query timeout</dt>
        <dd>
          {known?.settings.queryTimeout === null || known === undefined ? "none" : `${known.settings.queryTimeout} s`}
        </dd>
        <dt>Dead letters</dt>
        <dd>
          {deadLetters === undefined ? "–" : `${deadLetters.toLocaleString()} commands could not be stored`}:{" "}
          <code>census dead-letters list</code>{" "}
          <CopyButton class="plain" text="census dead-letters list" label="Copy: census dead-letters list">
            Copy
          </CopyButton>
        </dd>
      </dl>
    </Panel>
  );
}
