import { compareBytewise } from "../bytewise.ts";
import type { ReadableDatabase } from "../engine/overlaid.ts";
import { listText } from "../engine/sql-value.ts";
import type { ReadOptions } from "../engine/statements.ts";
import { type Json, parseJson, stringifyJson } from "../json.ts";
import { type PrecedingChange, type PrecedingKind, precedingKinds } from "./preceding.ts";
import { leastSelected, scoreOf, type Sizes } from "../traits/score.ts";
import * as statements from "./preceding-statements.ts";

/** The nodes that failed and those they are compared with. */
export interface Failing {
  /** When each node failed first, milliseconds since the epoch. */
  readonly failed: ReadonlyMap<number, number>;
  /** Nodes that did not. */
  readonly others: ReadonlySet<number>;
  /** How long before its failure a change counts, ms. */
  readonly within: number;
}

const sqlOf: Readonly<Record<PrecedingKind, string>> = {
  node: statements.values,
  resource: statements.resources,
  package: statements.packages,
  fact: statements.facts,
};

type Counted = readonly [
  path: (string | number)[],
  after: Json,
  change: PrecedingChange["change"],
  selected: number,
  rest: number,
];

/** The microseconds of a time, ms. */
const micros = (ms: number): bigint => BigInt(ms) * 1000n;

/**
 * Changes shortly before nodes failed that others did not have: of at least half of the nodes in the time before their failure, by
 * the difference of the shares. For the others the time is that of all failing nodes together. The greatest difference first.
 */
export async function precedingChanges(
  database: ReadableDatabase,
  { failed, others, within }: Failing,
  options: ReadOptions = {},
): Promise<PrecedingChange[]> {
  const sizes: Sizes = { selected: failed.size, rest: others.size };
  if (sizes.selected === 0 || sizes.rest === 0) return [];
  const times = [...failed.values()];
  const [first, last] = [least(times), -least(times.map((time) => -time))];
  // All of the millisecond of a failure counts.
  const rows = [
    ...[...failed].map(([node, time]) => ({ node, since: time - within, until: time + 1, chosen: true })),
    ...[...others].map((node) => ({ node, since: first - within, until: last + 1, chosen: false })),
  ];
  const parameters = [
    listText(rows.map(({ node }) => node)),
    listText(rows.map(({ since }) => micros(since))),
    listText(rows.map(({ until }) => micros(until) - 1n)),
    listText(rows.map(({ chosen }) => chosen)),
    BigInt(leastSelected(sizes)),
  ];
  const found: PrecedingChange[] = [];
  for (const kind of precedingKinds) {
    for await (const texts of database.texts({ sql: sqlOf[kind], values: parameters }, options)) {
      for (const text of texts) {
        const [path, after, change, selected, rest] = parseJson(text) as unknown as Counted;
        const score = scoreOf({ selected, rest }, sizes);
        if (score !== undefined && score > 0) found.push({ kind, path, change, after, selected, rest, score });
      }
    }
  }
  return found.sort(compare);
}

/** A spread of many numbers would exceed the arguments of a call. */
export function least(times: readonly number[]): number {
  return times.reduce((one, other) => Math.min(one, other), Infinity);
}

function compare(one: PrecedingChange, other: PrecedingChange): number {
  return (
    other.score - one.score ||
    precedingKinds.indexOf(one.kind) - precedingKinds.indexOf(other.kind) ||
    compareBytewise(nameOf(one), nameOf(other))
  );
}

function nameOf({ path, change, after }: PrecedingChange): string {
  return stringifyJson([[...path], change, after]);
}
