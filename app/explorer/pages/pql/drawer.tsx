import type { JSX } from "preact";
import { CopyButton } from "../frame/copy-button.tsx";
import { asCensus, asCurl, asPuppet } from "./copies.ts";
import { shownQueries } from "./shown-queries.ts";
import { workbenchHref } from "./workbench-link.ts";

/** The queries that the page is made of. Each can be copied or opened in the workbench. */
export function QueryDrawer({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const queries = [...shownQueries.value.values()];
  return (
    <>
      {queries.length === 0 ? <p>This page has no queries.</p> : null}
      {queries.map(({ name, pql, adds, rows, ms, age, path }) => (
        <section key={`${name} ${pql}`} class="shown-query">
          <h3>{name}</h3>
          <pre class="shown-query-text">{pql}</pre>
          <p class="muted">
            {rows === undefined ? "" : `${rows.toLocaleString()} rows · `}
            {ms === undefined ? "" : `${Math.round(ms)} ms`}
            {age === undefined ? "" : ` · made ${age} s before`}
            {path.startsWith("/explorer/") ? ` · sent to ${path}${adds === undefined ? "" : `, ${adds}`}` : ""}
          </p>
          <p class="shown-query-actions">
            <a href={workbenchHref(pql)} onClick={onClose}>
              Open in the workbench
            </a>
            <CopyButton class="plain" text={pql}>
              Copy PQL
            </CopyButton>
            <CopyButton class="plain" text={asCurl(pql)}>
              Copy as curl
            </CopyButton>
            <CopyButton class="plain" text={asCensus(pql)}>
              Copy as census query
            </CopyButton>
            <CopyButton class="plain" text={asPuppet(pql)}>
              Copy as puppetdb_query
            </CopyButton>
          </p>
        </section>
      ))}
    </>
  );
}
