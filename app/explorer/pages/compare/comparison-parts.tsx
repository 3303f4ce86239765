import type { ComponentChildren, JSX } from "preact";
import { type EdgeChange, edgeText, fieldText, type ResourceChange, resourceText } from "#storage/diff/catalog.ts";
import { pathText, type ValueChange } from "#storage/diff/values.ts";
import type { Loaded } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { countedLabel, Tabs } from "../frame/tabs.tsx";
import { marked, Value } from "../value/value.tsx";
import type { NodeComparison } from "./compare-nodes.ts";
import { useGrowing } from "../list/growing.tsx";
import { beginning, counted, visibleText } from "../value/text.ts";
import type { Json } from "#storage/json.ts";
import { isLongText, TextChange } from "../report/change.tsx";
import { ResourceLink } from "../value/resource-link.tsx";

interface ValueChangesProps {
  /** What is compared, for screen readers: "Facts". */
  readonly label: string;
  readonly changes: readonly ValueChange[];
  /** Names of the two sides. */
  readonly sides: readonly [from: string, to: string];
  /** The name of the place of a change; default: its path. */
  readonly nameOf?: (change: ValueChange) => string;
}

/** Characters of a value, and of a name. */
const SHOWN = 300;

/** Places where two sides differ, with the values of both. */
export function ValueChanges({ label, changes, sides, nameOf = pathOf }: ValueChangesProps): JSX.Element {
  const { shown, more } = useGrowing(changes, { step: 100, noun: "differences" });
  return (
    <>
      <table class="compare-values" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {sides.map((side, index) => (
              <th key={index === 0 ? "from" : "to"} scope="col">
                <bdi>{marked(beginning(side, SHOWN))}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((change) => (
            <tr key={JSON.stringify(change.path)}>
              <th scope="row">
                <bdi>{marked(beginning(nameOf(change), SHOWN))}</bdi>
              </th>
              <Values change={change} />
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

function pathOf({ path }: ValueChange): string {
  return pathText(path);
}

function Values({ change }: { readonly change: ValueChange }): JSX.Element {
  if (change.kind === "changed") {
    const { from, to } = change;
    if (typeof from === "string" && typeof to === "string" && (isLongText(from) || isLongText(to))) {
      return (
        <td colSpan={2}>
          <TextChange old={from} now={to} />
        </td>
      );
    }
  }
  return (
    <>
      <Side value={change.kind === "added" ? undefined : change.from} />
      <Side value={change.kind === "removed" ? undefined : change.to} />
    </>
  );
}

function Side({ value }: { readonly value: Json | undefined }): JSX.Element {
  return (
    <td>
      {value === undefined ? (
        <span class="muted">none</span>
      ) : (
        <Value value={value} limit={SHOWN} quoted={value === ""} />
      )}
    </td>
  );
}

interface ResourceChangesProps {
  readonly changes: readonly ResourceChange[];
  readonly sides: readonly [from: string, to: string];
}

/** Resources with different parameters, then those that only one side has. */
function ResourceChanges({ changes, sides }: ResourceChangesProps): JSX.Element {
  const [from, to] = sides;
  const different = changes.filter((change) => change.kind === "changed");
  return (
    <>
      {different.length === 0 ? null : <DifferentResources changes={different} sides={sides} />}
      <OnlyOn side={from} noun="resource" items={changes.filter(({ kind }) => kind === "removed").map(itemOf)} />
      <OnlyOn side={to} noun="resource" items={changes.filter(({ kind }) => kind === "added").map(itemOf)} />
    </>
  );
}

function itemOf({ type, title }: ResourceChange): Item {
  return { key: resourceText({ type, title }), content: <ResourceLink resource={{ type, title }} /> };
}

type Changed = Extract<ResourceChange, { readonly kind: "changed" }>;

function DifferentResources({
  changes,
  sides,
}: {
  readonly changes: readonly Changed[];
  readonly sides: ResourceChangesProps["sides"];
}): JSX.Element {
  const { shown, more } = useGrowing(changes, { step: 50, noun: "resources" });
  return (
    <>
      <h3>On both, but different ({changes.length.toLocaleString()})</h3>
      <ul class="compare-resources">
        {shown.map((change) => (
          <li key={resourceText(change)}>
            <ResourceLink resource={change} />
            <ValueChanges
              label={visibleText(beginning(resourceText(change), 100))}
              changes={change.changes}
              sides={sides}
              nameOf={fieldText}
            />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** Something that only one side has. */
interface Item {
  readonly key: string;
  readonly content: ComponentChildren;
}

/** What only one side has; nothing where it has nothing alone. */
export function OnlyOn({
  side,
  noun,
  items,
}: {
  readonly side: string;
  readonly noun: string;
  readonly items: readonly Item[];
}): JSX.Element | null {
  const { shown, more } = useGrowing(items, { step: 50, noun: `${noun}s` });
  if (items.length === 0) return null;
  return (
    <>
      <h3>
        Only <bdi>{marked(beginning(side, 100))}</bdi>: {counted(items.length, noun)}
      </h3>
      <ul class="compare-only">
        {shown.map(({ key, content }) => (
          <li key={key} class="wrap">
            {content}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

const partLabels = { facts: "Facts", resources: "Resources", edges: "Edges", packages: "Packages" } as const;

type NodePart = keyof typeof partLabels;
type NodeParts = Pick<NodeComparison, NodePart>;

/** Facts, resources and the like, each behind a tab. */
export interface ComparedPart {
  readonly key: NodePart | "report";
  readonly label: string;
  /** Of one side, or of both. */
  readonly loaded: Loaded<unknown> | readonly Loaded<unknown>[];
  /** Differences. */
  readonly count: number;
  readonly content: JSX.Element;
}

/** The parts of two nodes. @param loadedOf where each comes from */
export function nodeParts(
  found: NodeParts,
  sides: ContentProps["sides"],
  loadedOf: (part: NodePart) => ComparedPart["loaded"],
): ComparedPart[] {
  return (Object.keys(partLabels) as NodePart[]).map((part) => ({
    key: part,
    label: partLabels[part],
    loaded: loadedOf(part),
    count: found[part].length,
    content: <PartContent part={part} found={found} sides={sides} />,
  }));
}

/** The parts of a comparison, of which the address chooses one. */
export function ComparisonParts({ parts }: { readonly parts: readonly ComparedPart[] }): JSX.Element {
  return (
    <Tabs
      label="Parts of the comparison"
      parameter="part"
      tabs={parts.map(({ key, label, loaded, count, content }) => ({
        key,
        label: countedLabel(label, [loaded].flat().every(({ value }) => value !== undefined) ? count : undefined),
        content: (
          <Panel title={label} loaded={loaded} empty={count === 0 ? <p class="muted">No differences.</p> : undefined}>
            {content}
          </Panel>
        ),
      }))}
    />
  );
}

interface ContentProps {
  readonly part: NodePart;
  readonly found: NodeParts;
  readonly sides: readonly [from: string, to: string];
}

/** What differs in a part of two nodes. */
function PartContent({ part, found, sides }: ContentProps): JSX.Element {
  const [from, to] = sides;
  switch (part) {
    case "facts":
      return <ValueChanges label="Facts" changes={found.facts} sides={sides} />;
    case "resources":
      return <ResourceChanges changes={found.resources} sides={sides} />;
    case "edges":
      return (
        <>
          <OnlyOn side={from} noun="edge" items={found.edges.filter(({ kind }) => kind === "removed").map(edgeItem)} />
          <OnlyOn side={to} noun="edge" items={found.edges.filter(({ kind }) => kind === "added").map(edgeItem)} />
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
