import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useParameter } from "../address/address.ts";
import { text, texts } from "../address/codecs.ts";
import { useEnvironment } from "../address/environment.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Page } from "../frame/page.tsx";
import { Loading, Problem } from "../frame/waiting.tsx";
import { inEnvironment } from "../pql/environment.ts";
import { query } from "../pql/text.ts";
import { FactTable } from "./fact-table.tsx";
import { useFactLines } from "./use-fact-lines.ts";

const searchCodec = text();

/** How long after the last key a search begins, ms. */
const TYPING_MS = 300;

/** Which facts are there, how many nodes have them, and how much do they differ? */
export default function FactsPage(): JSX.Element {
  const environment = useEnvironment();
  const [search, setSearch] = useParameter("q", searchCodec);
  const [open, setOpen] = useParameter("open", texts);
  const { lines, nodes, facts, isCut, loaded } = useFactLines({ environment, search, open });
  const failed = loaded.find(({ error }) => error !== undefined);
  const waiting = loaded.find(({ value, error }) => value === undefined && error === undefined);
  const toggle = (id: string): void => {
    setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id], { push: false });
  };
  return (
    <Page
      title="Facts"
      beside={waiting === undefined ? <Counts facts={facts} nodes={nodes} /> : undefined}
      actions={
        <ExportMenu
          name="facts"
          pql={query("facts", {
            select: ["name", "count()"],
            where: inEnvironment("facts", environment),
            groupBy: ["name"],
          })}
        />
      }
    >
      <SearchField value={search} onChange={(next) => setSearch(next, { push: false })} />
      {failed === undefined ? null : <Problem loaded={failed} />}
      {waiting === undefined ? (
        <>
          {isCut ? <p class="muted">There are more paths than are listed. Search for a part of the path.</p> : null}
          <FactTable lines={lines} nodes={nodes} among="nodes that have facts" onToggle={toggle} />
        </>
      ) : (
        <Loading loaded={waiting} height={400} />
      )}
    </Page>
  );
}

function Counts({ facts, nodes }: { facts: number; nodes: number }): JSX.Element {
  return (
    <span class="muted">
      {facts.toLocaleString()} facts of {nodes.toLocaleString()} nodes
    </span>
  );
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }): JSX.Element {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onChange(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <p>
      <input
        type="search"
        class="facts-search"
        data-filter
        aria-label="Search in paths of facts"
        placeholder="Search in paths: release.full"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </p>
  );
}
