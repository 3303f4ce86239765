import type { ComponentChildren, JSX } from "preact";
import { fieldText, type ResourceChange, resourceText } from "#storage/diff/catalog.ts";
import { useGrowing } from "../list/growing.tsx";
import { ResourceLink } from "../value/resource-link.tsx";
import { beginning, visibleText } from "../value/text.ts";
import { marked } from "../value/value.tsx";
import { ValueChanges } from "./value-changes.tsx";

export interface ResourceChangesProps {
  readonly changes: readonly ResourceChange[];
  readonly sides: readonly [from: string, to: string];
}

/** Resources with different parameters, then those that only one side has. */
export function ResourceChanges({ changes, sides }: ResourceChangesProps): JSX.Element {
  const [from, to] = sides;
  const different = changes.filter((change) => change.kind === "changed");
  return (
    <>
      {different.length === 0 ? null : <DifferentResources changes={different} sides={sides} />}
      <OnlyOn side={from} noun="resources" items={changes.filter(({ kind }) => kind === "removed").map(itemOf)} />
      <OnlyOn side={to} noun="resources" items={changes.filter(({ kind }) => kind === "added").map(itemOf)} />
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
export interface Item {
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
  const { shown, more } = useGrowing(items, { step: 50, noun });
  if (items.length === 0) return null;
  return (
    <>
      <h3>
        Only <bdi>{marked(beginning(side, 100))}</bdi>: {items.length.toLocaleString()} {noun}
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
