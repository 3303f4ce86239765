import type { Run } from "../node/runs.ts";
import { type Change, type ChangeKind, changeKinds, type ChangeRow } from "./change.ts";

/** The changes of one run, or of one time where no report of a run is stored. */
export interface ChangeGroup {
  /** For the address. */
  readonly key: string;
  /** When the last of them was made, ISO 8601. */
  readonly at: string;
  readonly run: Run | undefined;
  /** By kind and name. */
  readonly changes: readonly Change[];
}

/** The newest changes of each kind. */
export type NewestChanges = Readonly<Record<ChangeKind, readonly ChangeRow[]>>;

/**
 * All changes since some time, of which no kind is missing any.
 * @param limit of each kind; where there are as many, older ones may exist
 * @returns since: undefined when these are all changes
 */
export function completeChanges(
  newest: NewestChanges,
  limit: number,
): { readonly changes: readonly Change[]; readonly since: string | undefined } {
  const ends = changeKinds.flatMap((kind) => (newest[kind].length < limit ? [] : (newest[kind].at(-1)?.from ?? [])));
  const since = ends.length === 0 ? undefined : ends.reduce((one, other) => (one > other ? one : other));
  const all = changeKinds.flatMap((kind) => newest[kind].map((row): Change => ({ ...row, kind })));
  // Of the time of the last row there may be more.
  return { changes: since === undefined ? all : all.filter(({ from }) => from > since), since };
}

/** The changes by run, the newest first. */
export function changeGroups(changes: readonly Change[], runs: readonly Run[]): readonly ChangeGroup[] {
  const byTransaction = new Map(runs.map((run) => [run.transaction_uuid, run]));
  const runOf = ({ transaction }: Change): Run | undefined =>
    transaction === null ? undefined : byTransaction.get(transaction);
  const groups = Map.groupBy(changes, (change) => runOf(change)?.hash ?? change.transaction ?? change.from);
  return [...groups]
    .map(([key, [first, ...rest]]): ChangeGroup | undefined =>
      first === undefined
        ? undefined
        : {
            key,
            at: rest.reduce((latest, { from }) => (from > latest ? from : latest), first.from),
            run: runOf(first),
            changes: [first, ...rest].sort(compareChanges),
          },
    )
    .filter((group) => group !== undefined)
    .sort((one, other) => (one.at < other.at ? 1 : -1));
}

function compareChanges(one: Change, other: Change): number {
  const kinds = changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind);
  if (kinds !== 0) return kinds;
  return one.what < other.what ? -1 : one.what > other.what ? 1 : one.from < other.from ? -1 : 1;
}

/** A place of the lane: a run, with or without changes, or changes without a report. */
export interface LanePlace {
  readonly key: string;
  readonly at: string;
  readonly count: number;
}

/** The lane, the oldest first: the runs and the changes since the first of them. */
export function lanePlaces(groups: readonly ChangeGroup[], runs: readonly Run[]): readonly LanePlace[] {
  const counted = new Map(groups.map(({ key, changes }) => [key, changes.length]));
  const times = runs.flatMap((run) => (timeOf(run) === undefined ? [] : [{ key: run.hash, at: timeOf(run) ?? "" }]));
  const first = times.reduce<string | undefined>(
    (before, { at }) => (before === undefined || at < before ? at : before),
    undefined,
  );
  const known = new Set(times.map(({ key }) => key));
  const others = groups.filter(({ key, at }) => !known.has(key) && (first === undefined || at >= first));
  return [...times, ...others.map(({ key, at }) => ({ key, at }))]
    .map((place) => ({ ...place, count: counted.get(place.key) ?? 0 }))
    .sort((one, other) => (one.at < other.at ? -1 : 1));
}

function timeOf({ end_time: end, start_time: start }: Run): string | undefined {
  return end ?? start ?? undefined;
}

const nouns: Readonly<Record<ChangeKind, readonly [one: string, several: string]>> = {
  fact: ["fact", "facts"],
  package: ["package", "packages"],
  resource: ["resource", "resources"],
  node: ["other change", "other changes"],
};

/** How many changes of a kind there are: "2 facts", and of which kind: "1 added, 1 removed". */
interface CountedChanges {
  readonly kind: ChangeKind;
  readonly count: string;
  readonly how: string;
}

export function countChanges(changes: readonly Change[]): readonly CountedChanges[] {
  return changeKinds.flatMap((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length === 0) return [];
    const [one, several] = nouns[kind];
    const how = (["added", "changed", "removed"] as const).flatMap((done) => {
      const count = own.filter(({ change }) => change === done).length;
      return count === 0 ? [] : [`${count.toLocaleString()} ${done}`];
    });
    return [
      {
        kind,
        count: `${own.length.toLocaleString()} ${own.length === 1 ? one : several}`,
        how: how.join(", "),
      },
    ];
  });
}
