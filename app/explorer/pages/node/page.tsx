import type { JSX } from "preact";
import { useRoute } from "preact-iso";
import { href } from "../address/address.ts";
import { CatalogTab } from "./catalog-tab.tsx";
import { FactsTab } from "./facts-tab.tsx";
import { NodeReportsTab } from "./reports-tab.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Problem } from "../frame/waiting.tsx";
import type { NodeRow } from "../nodes/node-row.ts";
import { SiteLinks } from "../site/site-links.tsx";
import { silentSince } from "../state/silent-since.ts";
import { StateMark } from "../state/state-mark.tsx";
import { stateOf } from "../state/states.ts";
import { beginning, visibleText } from "../value/text.ts";
import { backHref, Neighbours } from "./neighbours.tsx";
import { NodeBadges } from "./node-badges.tsx";
import { SummaryTab } from "./summary-tab.tsx";
import { useNode } from "./use-node.ts";

const tabs = [
  { key: "summary", label: "Summary", show: (node: NodeRow) => <SummaryTab node={node} /> },
  { key: "facts", label: "Facts", show: (node: NodeRow) => <FactsTab node={node} /> },
  { key: "catalog", label: "Catalog", show: (node: NodeRow) => <CatalogTab node={node} /> },
  { key: "reports", label: "Reports", show: (node: NodeRow) => <NodeReportsTab node={node} /> },
] as const;

const LONGEST_TITLE = 200;

/** What is this machine, and what does Puppet do on it? */
export default function NodePage(): JSX.Element {
  const { certname = "", tab = "summary" } = useRoute().params;
  const loaded = useNode(certname);
  const node = loaded.value?.find((row) => row.certname === certname);
  const shown = tabs.find(({ key }) => key === tab);
  const title = visibleText(beginning(certname, LONGEST_TITLE));
  return (
    <Page
      title={title}
      tabTitle={tab === "summary" ? title : `${title} · ${shown?.label ?? tab}`}
      before={<a href={backHref()}>‹ Nodes</a>}
      beside={
        node === undefined ? null : (
          <>
            <StateMark state={stateOf(node, silentSince.value)} />
            <NodeBadges node={node} />
          </>
        )
      }
      actions={
        <>
          <SiteLinks on="node" values={{ certname, environment: node?.report_environment ?? null }} />
          <a href={href("compare", [], { left: certname })}>Compare with …</a>
          <Neighbours certname={certname} tab={tab} />
        </>
      }
    >
      {loaded.error === undefined ? null : <Problem loaded={loaded} />}
      {loaded.isLoading && node === undefined ? <Loading loaded={loaded} height={400} /> : null}
      {loaded.value !== undefined && !loaded.isLoading && node === undefined ? <NoNode certname={certname} /> : null}
      {node === undefined ? null : (
        <>
          <nav class="tabs" aria-label="Parts of the node">
            {tabs.map(({ key, label }) => (
              <a
                key={key}
                href={href("node", key === "summary" ? [certname] : [certname, key])}
                aria-current={key === tab ? "page" : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          {shown === undefined ? <p>A node has no part “{visibleText(tab)}”.</p> : shown.show(node)}
        </>
      )}
    </Page>
  );
}

function NoNode({ certname }: { readonly certname: string }): JSX.Element {
  return (
    <p>
      No node with the certname <code>{visibleText(certname)}</code> is stored. It may have been purged, or it never
      sent anything. <a href={href("nodes")}>All nodes</a>
    </p>
  );
}
