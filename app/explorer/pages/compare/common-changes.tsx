import type { JSX } from "preact";
import type { ComparedArchives } from "#storage/diff/archives.ts";
import type { DiffPart } from "#storage/diff/parts.ts";
import type { Transition } from "#storage/diff/summary.ts";
import type { Json } from "#storage/json.ts";
import { useGrowing } from "../list/growing.tsx";
import { type SmallColumn, SmallTable } from "../list/small-table.tsx";
import { isLongText, TextChange } from "../report/change.tsx";
import { beginning } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";

const partNames: Readonly<Record<DiffPart, string>> = {
  nodes: "node",
  facts: "fact",
  resources: "resource",
  edges: "edge",
  reports: "report",
  packages: "package",
};

/** Characters of a name, and of a value. */
const SHOWN = 300;

/** Transitions that are shown of a place. */
const TRANSITIONS = 3;

export interface CommonChangesProps extends Pick<ComparedArchives, "common" | "places"> {
  readonly sides: readonly [from: string, to: string];
}

const columnsOf = ([from, to]: CommonChangesProps["sides"]): readonly SmallColumn<
  ComparedArchives["common"][number]
>[] => [
  [
    "Difference",
    ({ part, place }) => (
      <>
        <span class="muted">{partNames[part]}</span> <bdi>{marked(beginning(place, SHOWN))}</bdi>
      </>
    ),
  ],
  ["Nodes", ({ nodes }) => nodes.toLocaleString()],
  [
    <>
      <bdi>{marked(beginning(from, SHOWN))}</bdi> → <bdi>{marked(beginning(to, SHOWN))}</bdi>
    </>,
    ({ kind, nodes, transitions }) => (
      <>
        {transitions.length === 0 ? <span class="muted">{kind}</span> : null}
        {transitions.slice(0, TRANSITIONS).map((transition) => (
          <TransitionLine key={JSON.stringify(transition)} transition={transition} of={nodes} />
        ))}
        {transitions.length > TRANSITIONS ? <div class="muted">and others</div> : null}
      </>
    ),
  ],
];

/** The differences that most nodes have, with the values of both archives. */
export function CommonChanges({ common, places, sides }: CommonChangesProps): JSX.Element {
  const { shown, more } = useGrowing(common, { step: 20, noun: "differences" });
  return (
    <>
      <SmallTable
        class="compare-values compare-common"
        label="What several nodes share"
        rows={shown}
        keyOf={({ part, kind, place }) => `${part} ${kind} ${place}`}
        columns={columnsOf(sides)}
      />
      {more}
      {places > common.length ? (
        <p class="muted">
          The first {common.length.toLocaleString()} of {places.toLocaleString()} differences;{" "}
          <code>census diff --summary</code> has all but those of packages.
        </p>
      ) : null}
    </>
  );
}

function TransitionLine({ transition, of }: { readonly transition: Transition; readonly of: number }): JSX.Element {
  const { from, to, nodes } = transition;
  const count = nodes === of ? null : <span class="muted"> on {nodes.toLocaleString()}</span>;
  if (typeof from === "string" && typeof to === "string" && (isLongText(from) || isLongText(to))) {
    return (
      <div>
        <TextChange old={from} now={to} />
        {count}
      </div>
    );
  }
  return (
    <div>
      <OneValue value={from} /> → <OneValue value={to} />
      {count}
    </div>
  );
}

function OneValue({ value }: { readonly value: Json | undefined }): JSX.Element {
  if (value === undefined) return <span class="muted">none</span>;
  return <Value value={value} limit={SHOWN} quoted={value === ""} />;
}
