import type { Json } from "#storage/json.ts";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { href, useParameter, useText } from "../address/address.ts";
import { flag } from "../address/codecs.ts";
import { useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { writeFilter } from "../facets/filters.ts";
import { CopyButton } from "../frame/dialog.tsx";
import { Panel } from "../frame/panel.tsx";
import { SearchField } from "../list/search-field.tsx";
import { factField } from "../pql/fact-path.ts";
import { literal, query } from "../pql/text.ts";
import { Age } from "../time/age.tsx";
import { countLeaves, scalarText, type TreeLine } from "../tree/lines.ts";
import { Tree } from "../tree/tree.tsx";
import { compactJson } from "../value/text.ts";
import { FleetShares, isRare } from "./shares.ts";
import { isInactive, type NodeRow, ofNode } from "./use-node.ts";
import { about } from "../data/about.ts";

/** All facts of a node as a tree, with a search, and how common each value is. */
export function FactsTab({ node }: { readonly node: NodeRow }): JSX.Element {
  const [search, setSearch] = useText("q");
  const [compares, setCompares] = useParameter("fleet", flag);
  const pql = query("facts", {
    select: ["name", "value"],
    where: ofNode(node.certname, { isInactive: isInactive(node) }),
    orderBy: ["name"],
  });
  const loaded = useQuery<{ readonly name: string; readonly value: Json }>({ name: "Facts of the node", pql });
  const facts = useMemo(() => factsOf(loaded.value ?? []), [loaded.value]);
  const leaves = useMemo(() => countLeaves(facts), [facts]);
  const shares = useMemo(() => (compares ? new FleetShares() : undefined), [compares, node.certname, loaded.value]);
  useEffect(() => () => shares?.close(), [shares]);
  const since = useFactsSince(node.certname);
  return (
    <Panel
      title={`Facts${loaded.value === undefined ? "" : ` (${leaves.toLocaleString()} values)`}`}
      loaded={loaded}
      height={400}
      empty={loaded.value?.length === 0 ? <p>No facts of this node are stored.</p> : undefined}
      actions={<ExportMenu name={`facts-${node.certname}`} pql={pql} />}
    >
      <div class="facts-tools">
        <SearchField
          label="Search path or value"
          value={search}
          onChange={(value) => setSearch(value, { push: false })}
          isFilter
        />
        <label title="Shows how many nodes have the same value, and marks values that few have">
          <input
            type="checkbox"
            checked={compares}
            onChange={(event) => setCompares(event.currentTarget.checked, { push: false })}
          />{" "}
          Compare with all nodes
        </label>
      </div>
      <Tree label="Facts" value={facts} search={search} beside={besideOf(since, shares)} actions={lineActions} />
    </Panel>
  );
}

/** Names such as `__proto__` are ordinary keys. */
function factsOf(rows: readonly { readonly name: string; readonly value: Json }[]): { [name: string]: Json } {
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** What is said of a line besides its value. */
function besideOf(
  since: ReadonlyMap<string, string>,
  shares: FleetShares | undefined,
): (line: TreeLine) => ComponentChildren {
  return (line) => (
    <>
      <Since time={isLeaf(line) ? since.get(line.path.join(".")) : undefined} />
      {shares === undefined || line.size !== undefined ? null : <Share shares={shares} line={line} />}
    </>
  );
}

/** Empty lists and objects are values too. */
function isLeaf({ size = 0 }: TreeLine): boolean {
  return size === 0;
}

/** Says since when a value is as it is, where it changed in the recorded time. */
function Since({ time }: { readonly time: string | undefined }): JSX.Element | null {
  if (time === undefined) return null;
  return (
    <span class="fact-since muted">
      changed <Age time={time} />
    </span>
  );
}

function lineActions(line: TreeLine): JSX.Element {
  return <LineActions line={line} />;
}

function Share({ shares, line }: { readonly shares: FleetShares; readonly line: TreeLine }): JSX.Element {
  const share = shares.of(line).value;
  if (share === undefined) return <span class="fleet-share muted">…</span>;
  const { same, nodes } = share;
  const words = same <= 1 ? "only here" : `${same.toLocaleString()} of ${nodes.toLocaleString()} nodes have this`;
  return isRare(share) ? (
    <span class="fleet-share fleet-rare" title="Few nodes have this value; most have others">
      ! {words}
    </span>
  ) : (
    <span class="fleet-share muted">{words}</span>
  );
}

function LineActions({ line }: { readonly line: TreeLine }): JSX.Element {
  const field = factField(line.path);
  const value = line.size === undefined ? (line.value as string | number | boolean | null) : undefined;
  return (
    <>
      {field === undefined ? null : (
        <CopyButton class="plain" label="Copy the path" text={field}>
          Copy path
        </CopyButton>
      )}
      <CopyButton class="plain" label="Copy the value" text={scalarText(line.value) ?? compactJson(line.value)}>
        Copy value
      </CopyButton>
      {field === undefined ? null : <a href={href("fact", [], { path: field.slice("facts.".length) })}>Everywhere</a>}
      {field === undefined || value === undefined ? null : (
        <a href={href("nodes", [], { f: writeFilter({ field, value, excludes: false }) })}>Who else has this</a>
      )}
    </>
  );
}

/**
 * Since when the facts of a node are as they are, by their paths with dots, also those in names; absent: nothing changed in the
 * recorded time.
 */
function useFactsSince(certname: string): ReadonlyMap<string, string> {
  const { value = [] } = useQuery<{ readonly what: string; readonly from: string }>(
    about.value?.history == null
      ? undefined
      : {
          name: "Since when facts are as they are",
          pql: query("fact_changes", {
            select: ["what", "from"],
            where: `certname = ${literal(certname)} and until is null and node_state = "any"`,
          }),
        },
  );
  return new Map(value.map(({ what, from }) => [what, from]));
}
