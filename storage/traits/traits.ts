import { pathText } from "../diff/values.ts";
import { visibilityOf, volatilePatterns } from "../diff/visibility.ts";
import type { ReadableDatabase } from "../engine/overlaid.ts";
import { listText } from "../engine/sql-value.ts";
import type { ReadOptions } from "../engine/statements.ts";
import { type Json, parseJson } from "../json.ts";
import type { Queries } from "../query/queries.ts";
import type { RowsSpec } from "../query/query.ts";
import { compareDifferences, type CountedTrait, differenceOf, leastSelected, type Sizes } from "./score.ts";
import * as statements from "./statements.ts";
import { type Difference, type Differences, type TraitKind, traitKinds } from "./trait.ts";

/** What is compared. */
export interface TraitsSpec {
  /** The selected nodes. */
  readonly selection: RowsSpec;
  /** They are compared with those of these nodes that are not selected. */
  readonly baseline: RowsSpec;
  readonly kinds: readonly TraitKind[];
  /** Maximum differences that are listed. */
  readonly limit: number;
}

type Path = readonly (string | number)[];

/** `[path, selected, all, value]`; without a value: all values together. */
type Counted = readonly [path: Path, selected: number, everywhere: number, value?: Json];

/** Facts whose values are nearly all different say which node it is, and are left out: at least this share of them. */
const OWN_VALUES = 0.9;
const isVolatile = visibilityOf([], volatilePatterns);

/** What sets nodes apart from others: facts, classes, packages, environments. */
export class Traits {
  readonly #database: ReadableDatabase;
  readonly #queries: Queries;

  constructor(database: ReadableDatabase, queries: Queries) {
    this.#database = database;
    this.#queries = queries;
  }

  /** @throws QueryError if a query is invalid, or selects something other than nodes */
  async differences(spec: TraitsSpec, options: ReadOptions = {}): Promise<Differences> {
    const { selection, baseline, limit } = spec;
    const chosen = await this.#queries.nodeNumbers(selection, options);
    const compared = await this.#queries.nodeNumbers(baseline, options);
    const others = new Set([...compared].filter((node) => !chosen.has(node)));
    const sizes: Sizes = { selected: chosen.size, rest: others.size };
    if (sizes.selected === 0 || sizes.rest === 0) return { ...sizes, total: 0, differences: [] };
    const work = new Comparison(this.#database, { chosen, others, sizes, options });
    const found: Difference[] = [];
    for (const kind of traitKinds) if (spec.kinds.includes(kind)) found.push(...(await work.differences(kind)));
    found.sort(compareDifferences);
    return { ...sizes, total: found.length, differences: found.slice(0, limit) };
  }
}

interface Compared {
  readonly chosen: ReadonlySet<number>;
  readonly others: ReadonlySet<number>;
  readonly sizes: Sizes;
  readonly options: ReadOptions;
}

/** One comparison of two sets of nodes. */
class Comparison {
  readonly #database: ReadableDatabase;
  readonly #sizes: Sizes;
  readonly #options: ReadOptions;
  readonly #values: readonly [chosen: string, others: string];

  constructor(database: ReadableDatabase, { chosen, others, sizes, options }: Compared) {
    this.#database = database;
    this.#sizes = sizes;
    this.#options = options;
    this.#values = [listText(chosen), listText(others)];
  }

  async differences(kind: TraitKind): Promise<readonly Difference[]> {
    switch (kind) {
      case "environment":
        return this.#differing(kind, withNone(await this.#rows<Counted>(statements.environments)));
      case "producer":
        return this.#differing(kind, withNone(await this.#rows<Counted>(statements.producers)));
      case "class": {
        const counts = await this.#rows<Counted>(statements.classes);
        const present = counts.map((row) => ({ ...traitOf(row), value: true }));
        return this.#differing(kind, [...present, ...this.#without(counts)]);
      }
      case "package": {
        const versions = await this.#rows<Counted>(statements.packageVersions);
        const names = await this.#rows<Counted>(statements.packageNames);
        return this.#differing(kind, [...versions.map(traitOf), ...this.#without(names)]);
      }
      case "fact":
        return this.#facts();
    }
  }

  async #facts(): Promise<readonly Difference[]> {
    const least = leastSelected(this.#sizes);
    const ofIds = (await this.#rows<readonly [Path, number, number, id: number]>(statements.factPaths)).filter(
      ([path]) => !isVolatileFact(path),
    );
    const paths = joined(ofIds);
    const having = new Map(paths.map(([path, , everywhere]) => [keyOf(path), everywhere]));
    // No value is more frequent than its fact.
    const frequent = ofIds.flatMap(([, selected, , id]) => (selected >= least ? [id] : []));
    const values = await this.#rows<readonly [Path, id: number, number, number, Json]>(
      statements.factValues,
      BigInt(least),
      listText(frequent),
    );
    const found = values.flatMap(([path, id, selected, everywhere, value]) => {
      const have = having.get(keyOf(path));
      const difference = differenceOf({ kind: "fact", ...traitOf([path, selected, everywhere, value]) }, this.#sizes);
      return have === undefined || difference === undefined ? [] : [{ id, have, everywhere, difference }];
    });
    // Only where few nodes have the same value can most of them have values of their own.
    // Values of a fact that fewer nodes have cannot be called different.
    const doubtful = found.filter(({ have, everywhere }) => have >= 5 && have - everywhere + 1 >= OWN_VALUES * have);
    const different = await this.#differentValues(doubtful.map(({ id }) => id));
    const kept = found.filter(
      ({ difference, have }) => (different.get(keyOf(difference.path)) ?? 0) < OWN_VALUES * have,
    );
    return [...kept.map(({ difference }) => difference), ...this.#differing("fact", this.#without(paths))];
  }

  /** How many different values facts have, by {@link keyOf}. */
  async #differentValues(ids: readonly number[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const counted = await this.#rows<readonly [Path, number]>(statements.differentValues, listText(new Set(ids)));
    return new Map(counted.map(([path, count]) => [keyOf(path), count]));
  }

  /** That nodes lack something, of the counts of those that have it. */
  #without(counts: readonly Counted[]): Omit<CountedTrait, "kind">[] {
    const { selected: own, rest: others } = this.#sizes;
    return counts.map(([path, selected, everywhere]) => ({
      path,
      selected: own - selected,
      rest: others - (everywhere - selected),
    }));
  }

  #differing(kind: TraitKind, counted: readonly Omit<CountedTrait, "kind">[]): Difference[] {
    return counted.flatMap((each) => differenceOf({ kind, ...each }, this.#sizes) ?? []);
  }

  async #rows<Row>(sql: string, ...more: readonly (bigint | string)[]): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const texts of this.#database.texts({ sql, values: [...this.#values, ...more] }, this.#options)) {
      for (const text of texts) rows.push(parseJson(text) as unknown as Row);
    }
    return rows;
  }
}

function traitOf([path, selected, everywhere, value]: Counted): Omit<CountedTrait, "kind"> {
  return { path, selected, rest: everywhere - selected, ...(value === undefined ? {} : { value }) };
}

/** Null means that a node has none. */
function withNone(counts: readonly Counted[]): Omit<CountedTrait, "kind">[] {
  return counts.map(([path, selected, everywhere, value]) =>
    traitOf(value === undefined || value === null ? [path, selected, everywhere] : [path, selected, everywhere, value]),
  );
}

/** The counts of each path, which may have several ids. */
function joined(ofIds: readonly (readonly [Path, number, number, id: number])[]): Counted[] {
  const groups = Map.groupBy(ofIds, ([path]) => keyOf(path));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const sum = (of: 1 | 2): number => same.reduce((total, row) => total + row[of], 0);
    return [[first[0], sum(1), sum(2)] satisfies Counted];
  });
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

function isVolatileFact(path: Path): boolean {
  return isVolatile("facts", pathText(path)) === "volatile";
}
