import type { ComponentChildren, JSX } from "preact";
import type { Difference, Differences, Trait } from "#storage/traits/trait.ts";
import { href, type Parameters, useEnvironment } from "../address/address.ts";
import { shareText } from "../charts/axis.ts";
import { useAnswer } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { useFew } from "../list/growing.tsx";
import { factAddress, factField } from "../pql/fact-path.ts";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import { beginning, counted } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";
import { stringifyJson } from "#storage/json.ts";
import { type Filter, filtersCodec } from "../facets/filters.ts";
import { lineCondition } from "../filter-line/condition.ts";

/** What nodes are filtered by already. */
interface ListFilters {
  readonly line: string;
  readonly filters: readonly Filter[];
}

/** Nodes that have a trait, of those that are filtered already; undefined where no query can say it. */
function traitHref(trait: Trait, present: ListFilters): string | undefined {
  const added = addedBy(trait);
  if (added === undefined) return undefined;
  const { filter, condition, environment } = added;
  const kept = present.filters.filter(({ field }) => field !== filter?.field);
  const line = condition === undefined ? present.line : (and(lineCondition(present.line, "certname"), condition) ?? "");
  const parameters: Parameters = {
    f: filtersCodec.write(filter === undefined ? kept : [...kept, filter]),
    q: line === "" ? undefined : line,
    ...(environment === undefined ? {} : { env: environment }),
  };
  return href("nodes", [], parameters);
}

interface Added {
  readonly filter?: Filter;
  /** A condition on nodes. */
  readonly condition?: string;
  readonly environment?: string;
}

/** What the list of nodes is filtered by for a trait. */
function addedBy({ kind, path, value }: Trait): Added | undefined {
  const [first = "", second = ""] = path.map(String);
  switch (kind) {
    case "environment":
      return typeof value === "string" ? { environment: value } : { condition: "report_environment is null" };
    case "producer":
      return {
        filter: { field: "catalogs.producer", value: typeof value === "string" ? value : null, excludes: false },
      };
    case "class": {
      const condition = `resources{ type = "Class" and title = ${literal(first)} }`;
      return { condition: value === undefined ? `!${condition}` : condition };
    }
    case "package": {
      const version = value === undefined ? undefined : `version = ${stringifyJson(value)}`;
      const own = and(`package_name = ${literal(first)}`, `provider = ${literal(second)}`, version) ?? "";
      const condition = `certname in package_inventory[certname]{ ${own} }`;
      return { condition: value === undefined ? `!(${condition})` : condition };
    }
    case "fact": {
      const field = factField(path);
      // Values of paths are scalars.
      if (field === undefined || (typeof value === "object" && value !== null && !("rawJSON" in value)))
        return undefined;
      return { filter: { field, value: (value ?? null) as Filter["value"], excludes: false } };
    }
  }
}

export interface TraitsPanelProps {
  /** The condition that selects the nodes. */
  readonly selection: string | undefined;
  /** The nodes that they are compared with, as a condition. */
  readonly baseline: string | undefined;
  /** What the list of nodes that a trait leads to is filtered by besides. */
  readonly present: ListFilters;
  readonly onClose?: () => void;
}

/** Differences that are fetched at most. */
const MOST = 200;
/** Differences before "show". */
const FEW = 10;

/** Characters of a name. A link cannot have a button that shows the rest. */
const SHOWN = 160;
/** Values are not longer; see the endpoint. */
const LONGEST_VALUE = 2000;

/** What the nodes that a page is about have in common. @param selection a condition of nodes */
export function SharedTraits({ selection }: { readonly selection: string }): JSX.Element {
  const baseline = inEnvironment("nodes", useEnvironment());
  return <TraitsPanel selection={selection} baseline={baseline} present={{ line: "", filters: [] }} />;
}

/** What the selected nodes have in common that the others have not: the greatest difference first, each leads to its nodes. */
export function TraitsPanel({ selection, baseline, present, onClose }: TraitsPanelProps): JSX.Element {
  const selected = query("nodes", { where: selection });
  const loaded = useAnswer("differences", {
    name: "What do they share?",
    pql: selected,
    adds: "which compares facts, classes, packages, environments and producers with those of the other nodes",
    parameters: { selection: selected, baseline: query("nodes", { where: baseline }), limit: MOST },
  });
  const found = loaded.value;
  return (
    <Panel
      title="What do they share?"
      loaded={loaded}
      height={160}
      actions={
        onClose === undefined ? undefined : (
          <button type="button" class="plain" onClick={onClose}>
            Close
          </button>
        )
      }
      empty={found === undefined || found.differences.length > 0 ? undefined : <p>{nothingText(found)}</p>}
    >
      {found === undefined ? null : (
        <DifferenceTable
          {...found}
          what="What"
          rows={found.differences.map((difference) => ({
            key: JSON.stringify([difference.kind, difference.path, difference.value]),
            kind: difference.kind,
            name: <TraitName difference={difference} present={present} />,
            selected: difference.selected,
            rest: difference.rest,
          }))}
        >
          What sets {counted(found.selected, "node")} apart from {counted(found.rest, "other")}
        </DifferenceTable>
      )}
    </Panel>
  );
}

function nothingText({ selected, rest }: Differences): string {
  if (selected === 0) return "No node is selected.";
  if (rest === 0) return "There are no other nodes to compare with.";
  return "Nothing that at least half of them have sets them apart from the other nodes.";
}

export interface DifferenceTableProps {
  /** Heading of the names. */
  readonly what: string;
  /** Nodes that are compared, and the others. */
  readonly selected: number;
  readonly rest: number;
  /** Differences, whether listed or not. */
  readonly total: number;
  readonly rows: readonly {
    readonly key: string;
    readonly kind: string;
    readonly name: JSX.Element;
    readonly selected: number;
    readonly rest: number;
  }[];
  /** The beginning of the sentence that says what is compared. */
  readonly children: ComponentChildren;
}

/** What is different between some nodes and the others, with the share of both that has it; the greatest difference first. */
export function DifferenceTable({ what, rows, selected, rest, total, children }: DifferenceTableProps): JSX.Element {
  const { shown, more } = useFew(rows, FEW, "differences");
  return (
    <>
      <p class="muted">
        {children}
        {total > rows.length ? `; the ${rows.length} greatest of ${total.toLocaleString()} differences` : ""}
      </p>
      <table class="traits">
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col">These nodes</th>
            <th scope="col">Others</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <span class="muted trait-kind">{row.kind}</span> {row.name}
              </th>
              <Share count={row.selected} of={selected} token="selected" />
              <Share count={row.rest} of={rest} token="rest" />
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

function TraitName({
  difference,
  present,
}: {
  readonly difference: Difference;
  readonly present: ListFilters;
}): JSX.Element {
  const link = traitHref(difference, present);
  const text = <TraitText difference={difference} />;
  if (link === undefined) return text;
  return (
    <a href={link} title="Show the nodes with it">
      {text}
    </a>
  );
}

/** `os.name = "Debian"`, `Nginx`, `no openssl (apt)` */
function TraitText({ difference: { kind, path, value } }: { readonly difference: Difference }): JSX.Element {
  const [first = "", second = ""] = path.map(String);
  switch (kind) {
    case "environment":
    case "producer":
      return typeof value === "string" ? <Cut text={value} /> : <>none</>;
    case "class":
      return (
        <>
          {value === undefined ? "no " : ""}
          <Cut text={first} />
        </>
      );
    case "package":
      return (
        <>
          {value === undefined ? "no " : ""}
          <Cut text={first} /> {typeof value === "string" ? <Cut text={value} /> : null} (
          <Cut text={second} />)
        </>
      );
    case "fact":
      return (
        <>
          {value === undefined ? "no " : ""}
          <Cut text={factAddress(path)} />
          {value === undefined ? null : (
            <>
              {" = "}
              <Value value={value} limit={LONGEST_VALUE} />
            </>
          )}
        </>
      );
  }
}

/** A name, shortened. */
function Cut({ text }: { readonly text: string }): JSX.Element {
  const shown = beginning(text, SHOWN);
  return (
    <bdi>
      {marked(shown)}
      {shown === text ? "" : "…"}
    </bdi>
  );
}

function Share({
  count,
  of,
  token,
}: {
  readonly count: number;
  readonly of: number;
  readonly token: "selected" | "rest";
}): JSX.Element {
  return (
    <td class="trait-share">
      {count.toLocaleString()} <span class="muted">{shareText(count, of)}</span>
      <svg width="100%" height="6" aria-hidden="true">
        <rect class={`trait-bar trait-bar-${token}`} width={`${(100 * count) / of}%`} height="6" rx="1" />
      </svg>
    </td>
  );
}
