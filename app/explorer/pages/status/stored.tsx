import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { about } from "../data/about.ts";
import { Panel } from "../frame/panel.tsx";
import { formatTime } from "../time/format.ts";

/** How much is stored, and of what. */
export function Stored(): JSX.Element {
  const known = about.value;
  const span = known?.span.reports;
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
          Commands that could not be stored: see <code>census dead-letters list</code>
        </dd>
      </dl>
    </Panel>
  );
}
