import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Difference, Differences, TraitKind } from "#storage/traits/trait.ts";
import { useEnvironment } from "../address/address.ts";
import { shareText } from "../charts/axis.ts";
import { useAnswer } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { factAddress } from "../pql/fact-path.ts";
import { inEnvironment, query } from "../pql/text.ts";
import { beginning, counted } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";
import { type ListFilters, traitHref } from "./trait-link.ts";

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

const labels: Readonly<Record<TraitKind, string>> = {
  environment: "environment",
  producer: "producer",
  class: "class",
  package: "package",
  fact: "fact",
};

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
      {found === undefined ? null : <DifferenceTable found={found} present={present} />}
    </Panel>
  );
}

function nothingText({ selected, rest }: Differences): string {
  if (selected === 0) return "No node is selected.";
  if (rest === 0) return "There are no other nodes to compare with.";
  return "Nothing that at least half of them have sets them apart from the other nodes.";
}

function DifferenceTable({
  found,
  present,
}: {
  readonly found: Differences;
  readonly present: ListFilters;
}): JSX.Element {
  const { differences, selected, rest, total } = found;
  const [isLong, setIsLong] = useState(false);
  const shown = isLong ? differences : differences.slice(0, FEW);
  return (
    <>
      <p class="muted">
        What sets {counted(selected, "node")} apart from {counted(rest, "other")}
        {total > differences.length
          ? `; the ${differences.length} greatest of ${total.toLocaleString()} differences`
          : ""}
      </p>
      <table class="traits">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">These nodes</th>
            <th scope="col">Others</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((difference) => (
            <tr key={JSON.stringify([difference.kind, difference.path, difference.value])}>
              <th scope="row">
                <TraitName difference={difference} present={present} />
              </th>
              <Share count={difference.selected} of={selected} token="selected" />
              <Share count={difference.rest} of={rest} token="rest" />
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length <= FEW ? null : (
        <button type="button" class="plain" onClick={() => setIsLong(!isLong)}>
          {isLong ? "Show fewer" : `Show ${differences.length.toLocaleString()} differences`}
        </button>
      )}
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
  return (
    <>
      <span class="muted trait-kind">{labels[difference.kind]}</span>{" "}
      {link === undefined ? (
        text
      ) : (
        <a href={link} title="Show the nodes with it">
          {text}
        </a>
      )}
    </>
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
