import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { href, useText } from "../address/address.ts";
import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { useFew, useGrowing } from "../list/growing.tsx";
import type { Run } from "../node/runs.ts";
import { timeText } from "../data/as-of.ts";
import { formatTime } from "../time/format.ts";
import { useTimeRange } from "../time/range.ts";
import { type Change, type ChangeKind, type ChangeRow, changesPql, nodeValueLabels } from "./change.ts";
import { type ChangeGroup, changeGroups, completeChanges, countChanges, lanePlaces } from "./change-groups.ts";
import { Strip } from "../charts/strip.tsx";
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

/** Newest changes of each kind. */
const LIMIT = 300;

export interface NodeChangesProps {
  readonly certname: string;
  /** The last runs. */
  readonly runs: readonly Run[];
}

/** What changed on a node: in the time range, counted; in which run, as a lane with a bar for each; and one by one. */
export function NodeChanges({ certname, runs }: NodeChangesProps): JSX.Element {
  const [chosen] = useText("changes");
  const range = useTimeRange();
  // A range up to now ends with the newest change.
  const until = range.last === undefined ? range.to : undefined;
  const fact = useChanges("fact", certname, until);
  const installed = useChanges("package", certname, until);
  const resource = useChanges("resource", certname, until);
  const node = useChanges("node", certname, until);
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
  const from = since === undefined || Date.parse(since) < range.from.getTime() ? range.from : new Date(since);
  const isInRange = (at: string): boolean => Date.parse(at) >= from.getTime();
  const inRange = groups.filter(({ at }) => isInRange(at));
  const places = lanePlaces(
    groups,
    runs.filter(({ end_time: end }) => until === undefined || end === null || Date.parse(end) < until.getTime()),
  );
  const most = Math.max(1, ...places.map(({ count }) => count));
  return (
    <Panel
      title="Changes"
      loaded={loaded}
      height={120}
      actions={<a href={thenAndNow(certname, from, until)}>Compare with {formatTime(from)}</a>}
      empty={
        isThere && groups.length === 0 ? (
          <p>No changes of this node are recorded{until === undefined ? "" : ` before ${formatTime(until)}`}.</p>
        ) : undefined
      }
    >
      <Counts
        changes={inRange.flatMap(({ changes }) => changes.filter((change) => isInRange(change.from)))}
        when={from === range.from ? `in the ${range.label}` : `since ${formatTime(from)}`}
      />
      <Strip
        label="Runs with changes"
        measure="number of changes"
        height={32}
        bars={places.map(({ key, at, count }) => ({
          key,
          href: count === 0 ? undefined : href("node", [certname], { changes: key }),
          // A run with a thousand changes leaves those with a few visible.
          share: Math.log(count + 1) / Math.log(most + 1),
          class: "series-changed",
          text: `${formatTime(at)}, ${counted(count, "change")}`,
          isCurrent: key === chosen,
        }))}
      />
      <ChangeLog groups={groups} few={inRange.length} chosen={chosen} />
      {since === undefined ? null : (
        <p class="muted">
          Older changes are listed by <code>census log</code>.
        </p>
      )}
    </Panel>
  );
}

/** The comparison of a node with itself at the beginning of a range, as it was at the range's end or is now. */
function thenAndNow(certname: string, from: Date, until: Date | undefined): string {
  return href("compare", [], {
    left: certname,
    right: certname,
    left_at: timeText(from),
    right_at: until === undefined ? undefined : timeText(until),
  });
}

/** "In the last 24 hours: 2 facts (1 added, 1 changed), 1 package (1 removed)" */
function Counts({ changes, when }: { readonly changes: readonly Change[]; readonly when: string }): JSX.Element {
  const counts = countChanges(changes);
  if (counts.length === 0) return <p>Nothing changed {when}.</p>;
  return (
    <p>
      Changed {when}:{" "}
      {counts.map(({ kind, count, how }, index) => (
        <span key={kind}>
          {index === 0 ? "" : ", "}
          <strong>{count}</strong> <span class="muted">({how})</span>
        </span>
      ))}
    </p>
  );
}

const names: Readonly<Record<ChangeKind, string>> = {
  fact: "Changed facts",
  package: "Changed packages",
  resource: "Changed resources",
  node: "Other changes",
};

function useChanges(kind: ChangeKind, certname: string, until: Date | undefined): Loaded<readonly ChangeRow[]> {
  return useQuery<ChangeRow>({ name: names[kind], pql: changesPql(kind, certname, LIMIT, until) });
}

interface ChangeLogProps {
  /** The newest first. */
  readonly groups: readonly ChangeGroup[];
  /** How many are shown at first: those in the time range. */
  readonly few: number;
  readonly chosen: string;
}

function ChangeLog({ groups, few, chosen }: ChangeLogProps): JSX.Element {
  const hasChosen = groups.slice(few).some(({ key }) => key === chosen);
  const { shown, more } = useFew(groups, hasChosen ? groups.length : few, "runs with changes");
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
        <time dateTime={at}>{formatTime(at)}</time>{" "}
        <span class="muted">
          {countChanges(changes)
            .map(({ count }) => count)
            .join(", ")}
        </span>
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
