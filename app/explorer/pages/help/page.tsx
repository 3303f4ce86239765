import type { JSX } from "preact";
import { about } from "../data/about.ts";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { StateTable } from "../frame/key-help.tsx";
import { formatSpan } from "../time/format.ts";

/** The meaning of terms and states, and the source of numbers. */
export default function HelpPage(): JSX.Element {
  const known = about.value;
  return (
    <Page title="Help">
      <Panel title="States of a node">
        <p>
          The first that applies. A node is silent when{" "}
          {known?.settings.silentAfter === null
            ? "three reports are missing by its own interval, but not sooner than after two hours"
            : `its latest report is older than ${formatSpan(known?.settings.silentAfter ?? 7200)}`}{" "}
          (setting <code>silent-after</code>).
        </p>
        <StateTable />
        <p>
          The endpoint <code>state-overview</code> counts differently: it puts noop before failed, and counts by the
          time at which a report was received.
        </p>
        {known?.features.correctiveChanges === false ? (
          <p>
            Corrective changes are not stored here, so no node is in that state. The setting{" "}
            <code>store-corrective-change</code> switches them on.
          </p>
        ) : null}
      </Panel>
      <Panel title="Times">
        <p>
          {known?.clock === "fixed"
            ? "The data come from an archive. Ages and time ranges are relative to the time of the archive, not to now."
            : "Ages and time ranges are relative to the server's clock at the last refresh."}{" "}
          The button in the header switches between local time and UTC. Exports have ISO 8601 times in UTC.
        </p>
      </Panel>
      <Panel title="Queries">
        <p>
          Every panel is made of a query. Press <kbd>.</kbd> to see the queries of a page, copy them for{" "}
          <code>curl</code>, <code>census query</code> or <code>puppetdb_query</code>, or open them in the workbench.
          Every choice is in the address, so that a copied address shows the same page.
        </p>
        <p>
          The filter line of a list takes conditions in PQL, such as{" "}
          <code>certname ~ &quot;^web&quot; and latest_report_status = &quot;failed&quot;</code>. A plain word searches
          the name.
        </p>
      </Panel>
      <Panel title="Interfaces">
        <ul class="prose">
          <li>
            Queries: <code>/pdb/query/v4</code>, described in <a href="/openapi.json">openapi.json</a>
          </li>
          <li>
            Metrics for Prometheus: <a href="/metrics">/metrics</a>
          </li>
          <li>
            Status: <a href="/status/v1/services">/status/v1/services</a>
          </li>
        </ul>
      </Panel>
    </Page>
  );
}
