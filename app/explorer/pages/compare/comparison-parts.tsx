import type { JSX } from "preact";
import { type EdgeChange, edgeText } from "#storage/diff/catalog.ts";
import type { ValueChange } from "#storage/diff/values.ts";
import type { Loaded } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { countedLabel, Tabs } from "../frame/tabs.tsx";
import { marked } from "../value/value.tsx";
import type { NodeComparison } from "./compare-nodes.ts";
import { OnlyOn, ResourceChanges } from "./resource-changes.tsx";
import { ValueChanges } from "./value-changes.tsx";

type PartKey = "facts" | "resources" | "edges" | "packages" | "report";

/** Facts, resources and the like, each behind a tab. */
export interface ComparedPart {
  readonly key: PartKey;
  readonly label: string;
  readonly loaded: Loaded<unknown>;
  /** Differences. */
  readonly count: number;
  readonly content: JSX.Element;
}

/** The parts of a comparison, of which the address chooses one. */
export function ComparisonParts({ parts }: { readonly parts: readonly ComparedPart[] }): JSX.Element {
  return (
    <Tabs
      label="Parts of the comparison"
      parameter="part"
      tabs={parts.map(({ key, label, loaded, count, content }) => ({
        key,
        label: countedLabel(label, loaded.value === undefined ? undefined : count),
        content: (
          <Panel
            title={label}
            loaded={loaded}
            empty={loaded.value !== undefined && count === 0 ? <p class="muted">No differences.</p> : undefined}
          >
            {content}
          </Panel>
        ),
      }))}
    />
  );
}

interface ContentProps {
  readonly part: Exclude<PartKey, "report">;
  readonly found: Pick<NodeComparison, "facts" | "resources" | "edges" | "packages">;
  readonly sides: readonly [from: string, to: string];
}

/** What differs in a part of two nodes. */
export function PartContent({ part, found, sides }: ContentProps): JSX.Element {
  const [from, to] = sides;
  switch (part) {
    case "facts":
      return <ValueChanges label="Facts" changes={found.facts} sides={sides} />;
    case "resources":
      return <ResourceChanges changes={found.resources} sides={sides} />;
    case "edges":
      return (
        <>
          <OnlyOn side={from} noun="edges" items={found.edges.filter(({ kind }) => kind === "removed").map(edgeItem)} />
          <OnlyOn side={to} noun="edges" items={found.edges.filter(({ kind }) => kind === "added").map(edgeItem)} />
        </>
      );
    case "packages":
      return <ValueChanges label="Packages" changes={found.packages} sides={sides} nameOf={packageText} />;
  }
}

/** `openssl (apt)`; of a provider that only one node has, all packages. */
function packageText({ path: [provider = "", name] }: ValueChange): string {
  return name === undefined ? `all (${provider})` : `${name} (${provider})`;
}

function edgeItem({ edge }: EdgeChange): { key: string; content: JSX.Element } {
  const text = edgeText(edge);
  return { key: text, content: <bdi>{marked(text)}</bdi> };
}

export interface VolatileChoiceProps {
  readonly withVolatile: boolean;
  readonly onVolatile: (withVolatile: boolean) => void;
  /** Differences that are left out. */
  readonly left: number;
}

/** Shows or leaves out what differs from one run to the next. */
export function VolatileChoice({ withVolatile, onVolatile, left }: VolatileChoiceProps): JSX.Element {
  return (
    <label>
      <input type="checkbox" checked={withVolatile} onChange={(event) => onVolatile(event.currentTarget.checked)} />{" "}
      Include values that always differ
      {left === 0 ? "" : ` (${left.toLocaleString()} not shown)`}
    </label>
  );
}
