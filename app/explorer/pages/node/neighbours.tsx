import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { go, href } from "../address/address.ts";
import { useData } from "../data/use-data.ts";
import { useKeys } from "../frame/keys.ts";
import { Icon } from "../icons/icon.tsx";
import { lastList } from "../nodes/views.ts";
import { query } from "../pql/text.ts";

/** Nodes of the list that are fetched for going from one to the next. */
const MOST = 5000;

/** The list of nodes where one came from. */
export function backHref(): string {
  return lastList.read()?.address ?? href("nodes");
}

/** The previous and next node of the list where one came from, and the place in it. */
export function Neighbours({ certname, tab }: { readonly certname: string; readonly tab: string }): JSX.Element | null {
  const [{ pql, sort }] = useState(() => lastList.read() ?? { pql: query("nodes"), sort: ["certname"] });
  const loaded = useData<readonly { readonly certname: string }[]>({
    name: "The list of nodes",
    path: "/explorer/api/v1/rows",
    parameters: { query: pql, column: "certname", sort, limit: MOST, include_total: true, format: "json" },
  });
  const names = loaded.value ?? [];
  const at = names.findIndex((row) => row.certname === certname);
  const addressOf = (index: number): string | undefined => {
    const name = at === -1 ? undefined : names[index]?.certname;
    return name === undefined ? undefined : href("node", tab === "summary" ? [name] : [name, tab]);
  };
  const before = addressOf(at - 1);
  const after = addressOf(at + 1);
  const goTo = (address: string | undefined): void => {
    if (address !== undefined) go(address);
  };
  useKeys({ "[": () => goTo(before), "]": () => goTo(after) });
  if (at === -1) return null;
  return (
    <nav class="neighbours" aria-label="Nodes of the list">
      <Step address={before} label="Previous node ([)" icon="left" />
      <span class="muted">
        {(at + 1).toLocaleString()} of {(loaded.total ?? names.length).toLocaleString()}
      </span>
      <Step address={after} label="Next node (])" icon="right" />
    </nav>
  );
}

interface StepProps {
  readonly address: string | undefined;
  readonly label: string;
  readonly icon: "left" | "right";
}

function Step({ address, label, icon }: StepProps): JSX.Element {
  if (address === undefined) {
    return (
      <button type="button" class="tool" disabled aria-label={label}>
        <Icon name={icon} />
      </button>
    );
  }
  return (
    <a class="tool-link" href={address} aria-label={label} title={label}>
      <Icon name={icon} />
    </a>
  );
}
