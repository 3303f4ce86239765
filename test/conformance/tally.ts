import type { Verdict } from "./judge.ts";
import type { Recording } from "./recording.ts";

/** A recording and what Census' answer to it is worth. */
export interface Judgement {
  readonly recording: Recording;
  readonly verdict: Verdict;
}

/** How many recordings got which verdict. */
export interface Tally {
  readonly right: number;
  readonly wrong: number;
  readonly notJudged: number;
}

export function tallyOf(judgements: readonly Judgement[]): Tally {
  const count = (kind: Verdict["kind"]): number => judgements.filter(({ verdict }) => verdict.kind === kind).length;
  return { right: count("right"), wrong: count("wrong"), notJudged: count("not judged") };
}

/** Tallies by category, in the order of the names. */
export function tallyByCategory(judgements: readonly Judgement[]): [category: string, tally: Tally][] {
  const groups = Map.groupBy(judgements, ({ recording }) => recording.category);
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, group]) => [name, tallyOf(group)]);
}

/** The right ones among the judged, in per cent; 100 when nothing was judged. */
export function percentRight({ right, wrong }: Tally): number {
  return right + wrong === 0 ? 100 : (100 * right) / (right + wrong);
}

/** How often each name occurs, the most frequent first. */
export function countNames(names: readonly string[]): [name: string, count: number][] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, group]): [string, number] => [name, group.length])
    .sort((left, right) => right[1] - left[1]);
}
