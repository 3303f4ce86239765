import type { JSX } from "preact";
import { href } from "../address/address.ts";
import type { About } from "../../api/shapes.ts";
import { about, latest } from "../data/about.ts";
import { Panel } from "../frame/panel.tsx";
import { CopyButton } from "../frame/dialog.tsx";
import { Age } from "../time/age.tsx";
import { formatBytes } from "../value/text.ts";
import { formatTime } from "../time/format.ts";
import { useBeans } from "./use-beans.ts";

const DEAD_LETTERS = "puppetlabs.puppetdb.dlo:name=global.messages";

/** The value of a gauge; undefined when it has none. */
function count(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** How much is stored, and of what. */
export function Stored(): JSX.Element {
  const known = about.value;
  const span = known?.span.reports;
  const { values } = useBeans([DEAD_LETTERS], "Value");
  const [deadLetters] = (values ?? []).map(count);
  const { nodes = 0, resources } = known?.counts ?? {};
  const store = latest.value?.store;
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
          {nodes === 0 || resources === undefined ? "" : `, ${Math.round(resources / nodes).toLocaleString()} per node`}
        </dd>
        <dt>Environments</dt>
        <dd>{known?.environments.length.toLocaleString()}</dd>
        <dt>Packages</dt>
        <dd>{known?.features.packages === true ? "collected" : "not collected by any node"}</dd>
        <dt>Corrective changes</dt>
        <dd>
          {known?.features.correctiveChanges === true ? "stored" : "not stored (setting store-corrective-change)"}
        </dd>
        <dt>Size</dt>
        <dd>{store === undefined ? "–" : store.bytes === null ? "in memory" : formatBytes(store.bytes)}</dd>
        <dt>Maintenance</dt>
        <dd>
          <Maintenance {...store?.maintenance} kind={known?.source.kind} />
        </dd>
        <dt>Query timeout</dt>
        <dd>
          {known?.settings.queryTimeout === null || known === undefined ? "none" : `${known.settings.queryTimeout} s`}
        </dd>
        <dt>Dead letters</dt>
        <dd>{known?.source.kind === "data" ? <DeadLetters count={deadLetters} /> : "only kept in a data directory"}</dd>
      </dl>
    </Panel>
  );
}

type MaintenanceProps = Partial<About["store"]["maintenance"]> & { readonly kind: About["source"]["kind"] | undefined };

/** What maintenance does now, or when it ended. */
function Maintenance({ running, last, kind }: MaintenanceProps): JSX.Element {
  if (kind === "archive") return <>none: the archive is shown as it was exported</>;
  if (typeof running === "string") return <>running: {running}</>;
  if (typeof last === "string")
    return (
      <>
        ended <Age time={last} />
      </>
    );
  return <>not run since the start</>;
}

/** How many commands could not be stored, and how to see them. */
function DeadLetters({ count: letters }: { readonly count: number | undefined }): JSX.Element {
  const command = "census dead-letters list";
  return (
    <>
      {letters === undefined ? "–" : `${letters.toLocaleString()} commands could not be stored`}: <code>{command}</code>{" "}
      <CopyButton class="plain" text={command} label={`Copy: ${command}`}>
        Copy
      </CopyButton>
    </>
  );
}
