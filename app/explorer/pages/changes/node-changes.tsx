import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { href, useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { useGrowing } from "../list/growing.tsx";
import type { Run } from "../node/runs.ts";
import { formatTime } from "../time/format.ts";
import { type ChangeKind, type ChangeRow, changesPql } from "./change.ts";
import { type ChangeGroup, changeGroups, completeChanges, countsText, lanePlaces } from "./change-groups.ts";
import { ChangeLine } from "./change-line.tsx";
import { ChangeLane } from "./lane.tsx";

/** Newest changes of each kind. */
const LIMIT = 300;
/** Runs with changes before "show". */
const FEW = 6;

const chosenCodec = text();

export interface NodeChangesProps {
  readonly certname: string;
  /** The last runs. */
  readonly runs: readonly Run[];
}

/** What changed on a node in which run: a lane with a bar for each run, and the changes as a log. */
export function NodeChanges({ certname, runs }: NodeChangesProps): JSX.Element {
  const [chosen] = useParameter("changes", chosenCodec);
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
  const [isLong, setIsLong] = useState(false);
  const hasChosen = groups.slice(FEW).some(({ key }) => key === chosen);
  const shown = isLong || hasChosen ? groups : groups.slice(0, FEW);
  return (
    <>
      <ul class="change-log" aria-label="Changes by run">
        {shown.map((group) => (
          <li key={group.key}>
            <Group group={group} isChosen={group.key === chosen} />
          </li>
        ))}
      </ul>
      {groups.length <= FEW || hasChosen ? null : (
        <button type="button" class="plain" onClick={() => setIsLong(!isLong)}>
          {isLong ? "Show fewer" : `Show ${groups.length.toLocaleString()} runs with changes`}
        </button>
      )}
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
