import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { href, useText } from "../address/address.ts";
import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { useFew, useGrowing } from "../list/growing.tsx";
import type { Run } from "../node/runs.ts";
import { formatTime } from "../time/format.ts";
import { type Change, type ChangeKind, type ChangeRow, changesPql, nodeValueLabels } from "./change.ts";
import {
  type ChangeGroup,
  changeGroups,
  completeChanges,
  countsText,
  type LanePlace,
  lanePlaces,
} from "./change-groups.ts";
import { movedTo } from "../charts/axis.ts";
import { beginning, counted } from "../value/text.ts";
import { fieldText } from "#storage/diff/catalog.ts";
import { compareValues, type ValueChange } from "#storage/diff/values.ts";
import type { Json } from "#storage/json.ts";
import { marked, Value } from "../value/value.tsx";
import { ResourceLink } from "../value/resource-link.tsx";

/** Characters of a value, and of a name. */
const SHOWN = 200;

const signs = { added: "+", removed: "−", changed: "~" } as const;

/** A change as a line of a log: `~ kernelrelease: 6.1.0 → 6.2.0`. */
function ChangeLine({ change }: { readonly change: Change }): JSX.Element {
  const { kind, what, before, after } = change;
  const differences = kind === "resource" && change.change === "changed" ? compareValues(before, after) : [];
  return (
    <li>
      <span class={`change-sign change-${change.change}`} title={change.change}>
        {signs[change.change]}
      </span>{" "}
      <span class="visually-hidden">{change.change} </span>
      <span class="muted">{kind}</span> <Name change={change} />
      {kind === "resource" || (kind === "node" && (what === "catalog" || what === "facts")) ? null : (
        <>
          {": "}
          <Values change={change.change} before={before} after={after} />
        </>
      )}
      {differences.length === 0 ? null : (
        <ul class="change-lines">
          {differences.map((difference) => (
            <li key={JSON.stringify(difference.path)}>
              <bdi>{marked(beginning(fieldText(difference), SHOWN))}</bdi>: <Difference difference={difference} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Name({
  change: { kind, what, type = "", title = "", provider = "" },
}: {
  readonly change: Change;
}): JSX.Element {
  if (kind === "resource") return <ResourceLink resource={{ type, title }} />;
  const text = <bdi>{marked(beginning(kind === "node" ? (nodeValueLabels[what] ?? what) : what, SHOWN))}</bdi>;
  if (kind === "package") {
    return (
      <>
        <a href={href("package", [], { name: what })}>{text}</a>{" "}
        <span class="muted">
          (<bdi>{marked(beginning(provider, SHOWN))}</bdi>)
        </span>
      </>
    );
  }
  // Other names may be several parts of a path or one with dots.
  return kind === "fact" && /^[\w-]+$/.test(what) ? <a href={href("fact", [], { path: what })}>{text}</a> : text;
}

function Values({ change, before, after }: Pick<Change, "change" | "before" | "after">): JSX.Element {
  return (
    <>
      {change === "added" ? null : <Value value={before} limit={SHOWN} />}
      {change === "changed" ? " → " : ""}
      {change === "removed" ? null : <Value value={after} limit={SHOWN} />}
    </>
  );
}

function Difference({ difference }: { readonly difference: ValueChange }): JSX.Element {
  const { kind } = difference;
  const before: Json = kind === "added" ? null : difference.from;
  const after: Json = kind === "removed" ? null : difference.to;
  return (
    <>
      <Values change={kind} before={before} after={after} />
      {kind === "changed" ? null : <span class="muted"> ({kind})</span>}
    </>
  );
}

interface ChangeLaneProps {
  /** The oldest first. */
  readonly places: readonly LanePlace[];
  /** Where the changes of a place are. */
  readonly hrefOf: (key: string) => string;
  readonly chosen: string;
}

/** Px. */
const HEIGHT = 32;
const LEAST = 4;

/** A bar for each run with changes, in the row of the runs: the height is their number. One tab stop; arrows go from bar to bar. */
function ChangeLane({ places, hrefOf, chosen }: ChangeLaneProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const linked = places.filter(({ count }) => count > 0);
  const [at, setAt] = useState<string | undefined>(undefined);
  const [read, setRead] = useState<LanePlace | undefined>(undefined);
  const current = Math.max(0, at === undefined ? linked.length - 1 : linked.findIndex(({ key }) => key === at));
  const most = Math.max(1, ...places.map(({ count }) => count));
  return (
    <div class="change-lane">
      {/* The arrows belong to the links inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above */}
      <ol
        ref={list}
        aria-label="Runs with changes"
        onPointerLeave={() => setRead(undefined)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
          const next = movedTo(event.key, current, linked.length);
          if (next === undefined) return;
          event.preventDefault();
          list.current?.querySelectorAll("a")[next]?.focus();
        }}
      >
        {places.map((place) => (
          <li key={place.key}>
            {place.count === 0 ? (
              <svg width="10" height={HEIGHT} aria-hidden="true">
                <rect class="change-none" width="10" y={HEIGHT - 1} height="1" />
              </svg>
            ) : (
              <a
                href={hrefOf(place.key)}
                tabIndex={place === linked[current] ? 0 : -1}
                aria-label={placeText(place)}
                aria-current={place.key === chosen ? "true" : undefined}
                onPointerEnter={() => setRead(place)}
                onFocus={() => {
                  setAt(place.key);
                  setRead(place);
                }}
                onBlur={() => setRead(undefined)}
              >
                <svg width="10" height={HEIGHT} aria-hidden="true">
                  <rect class="change-bar" width="10" {...bar(place.count, most)} />
                </svg>
              </a>
            )}
          </li>
        ))}
      </ol>
      <p class="strip-reading muted" aria-hidden="true">
        {read === undefined ? "height = number of changes" : placeText(read)}
      </p>
    </div>
  );
}

function placeText({ at, count }: LanePlace): string {
  return `${formatTime(at)}, ${counted(count, "change")}`;
}

/** A run with a thousand changes leaves those with a few visible. */
function bar(count: number, most: number): { readonly y: number; readonly height: number } {
  const height = Math.max(LEAST, (HEIGHT * Math.log(count + 1)) / Math.log(most + 1));
  return { y: HEIGHT - height, height };
}

/** Newest changes of each kind. */
const LIMIT = 300;
/** Runs with changes before "show". */
const FEW = 6;

export interface NodeChangesProps {
  readonly certname: string;
  /** The last runs. */
  readonly runs: readonly Run[];
}

/** What changed on a node in which run: a lane with a bar for each run, and the changes as a log. */
export function NodeChanges({ certname, runs }: NodeChangesProps): JSX.Element {
  const [chosen] = useText("changes");
  const fact = useChanges("fact", certname);
  const installed = useChanges("package", certname);
  const resource = useChanges("resource", certname);
  const node = useChanges("node", certname);
  const loaded = [fact, installed, resource, node];
  const isThere = loaded.every(({ value }) => value !== undefined);
  const { groups, since } = useMemo(() => {
    const newest = {
      fact: fact.value ?? [],
      package: installed.value ?? [],
      resource: resource.value ?? [],
      node: node.value ?? [],
    };
    const complete = completeChanges(newest, LIMIT);
    return { groups: isThere ? changeGroups(complete.changes, runs) : [], since: complete.since };
  }, [fact.value, installed.value, resource.value, node.value, runs]);
  return (
    <Panel
      title="Changes"
      loaded={loaded}
      height={120}
      empty={isThere && groups.length === 0 ? <p>No changes of this node are recorded.</p> : undefined}
    >
      <ChangeLane
        places={lanePlaces(groups, runs)}
        hrefOf={(key) => href("node", [certname], { changes: key })}
        chosen={chosen}
      />
      <ChangeLog groups={groups} chosen={chosen} />
      {since === undefined ? null : (
        <p class="muted">
          Older changes are listed by <code>census log</code>.
        </p>
      )}
    </Panel>
  );
}

const names: Readonly<Record<ChangeKind, string>> = {
  fact: "Changed facts",
  package: "Changed packages",
  resource: "Changed resources",
  node: "Other changes",
};

function useChanges(kind: ChangeKind, certname: string): Loaded<readonly ChangeRow[]> {
  return useQuery<ChangeRow>({ name: names[kind], pql: changesPql(kind, certname, LIMIT) });
}

function ChangeLog({
  groups,
  chosen,
}: {
  readonly groups: readonly ChangeGroup[];
  readonly chosen: string;
}): JSX.Element {
  const hasChosen = groups.slice(FEW).some(({ key }) => key === chosen);
  const { shown, more } = useFew(groups, hasChosen ? groups.length : FEW, "runs with changes");
  return (
    <>
      <ul class="change-log" aria-label="Changes by run">
        {shown.map((group) => (
          <li key={group.key}>
            <Group group={group} isChosen={group.key === chosen} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function Group({
  group: { at, run, changes },
  isChosen,
}: {
  readonly group: ChangeGroup;
  readonly isChosen: boolean;
}): JSX.Element {
  const details = useRef<HTMLDetailsElement>(null);
  const { shown, more } = useGrowing(changes, { step: 50, noun: "changes" });
  useEffect(() => {
    const { current } = details;
    if (!isChosen || current === null) return;
    current.open = true;
    current.scrollIntoView({ block: "nearest" });
    current.querySelector("summary")?.focus({ preventScroll: true });
  }, [isChosen]);
  return (
    <details ref={details} class={isChosen ? "change-group change-chosen" : "change-group"}>
      <summary>
        <time dateTime={at}>{formatTime(at)}</time> <span class="muted">{countsText(changes)}</span>
      </summary>
      {run === undefined ? null : (
        <p>
          <a href={href("report", [run.hash])}>Report of this run</a>
        </p>
      )}
      <ul class="change-lines">
        {shown.map((change) => (
          <ChangeLine key={`${change.kind} ${change.what} ${change.provider ?? ""} ${change.from}`} change={change} />
        ))}
      </ul>
      {more}
    </details>
  );
}
