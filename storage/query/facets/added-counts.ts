import type { Database } from "../../engine/database.ts";
import type { ReadOptions } from "../../engine/statements.ts";
import { parseJson } from "../../json.ts";
import { memoryBudget } from "../../memory/budget.ts";
import type { InactiveNodes } from "../../nodes/inactive-nodes.ts";
import { type AddedSelection, type CountedPart, compileAddedCounts } from "../compile/added-counts.ts";
import type { FacetSelection } from "../compile/facets.ts";
import { TOO_LONG } from "../compile/node-columns.ts";
import type { CompileContext } from "../compile/statement.ts";
import { hasSubquery, needsOf } from "../entities/index.ts";
import { KeptResults } from "../kept-results.ts";
import type { Condition, FieldRef } from "../tree.ts";
import type { Facets } from "./facets.ts";
import type { FacetField } from "./field.ts";
import { facetOf } from "./groups.ts";
import { isKeptField } from "./node-facets.ts";
import { PairCounts } from "./pair-counts.ts";
import { lengthOf, type Moved, movedWindow, type Window, windowOf, withinWindow } from "./time-window.ts";

/** Entities whose rows come with a report and are never changed: where its id is, and which tables their own fields are in. */
const entities: Readonly<Record<string, { readonly id: string; readonly own: readonly string[] }>> = {
  events: { id: "e.report_id", own: ["e", "r"] },
  reports: { id: "r.id", own: ["r"] },
};

/** The tables with their rows. */
const TABLES = ["reports", "events"];

/** Memory of a group besides its texts, bytes. */
const GROUP_BYTES = 200;

/** Groups of all facets together that are kept, at most. */
const MOST_GROUPS = 200_000;

type Cell = string | null | typeof TOO_LONG;
type Row = readonly [
  facet: number,
  sign: 1 | -1,
  count: number,
  last: number,
  keys: readonly Cell[],
  nodes: readonly number[],
];

interface Group {
  /** Distinguishes it from the groups of all facets. */
  readonly number: number;
  readonly texts: readonly (string | null)[];
  rows: number;
  /** The number of different nodes. */
  nodes: number;
}

interface Kept {
  /** The largest id of the counted rows; rows with greater ids are not counted yet. */
  commit: number;
  /** Equal as long as no row has been deleted. */
  readonly version: string;
  window: Window;
  /** Of each facet, and of all rows, by the text of the keys. */
  readonly groups: readonly Map<string, Group>[];
  readonly pairs: PairCounts;
  /** The number of the next group. */
  next: number;
  textBytes: number;
  bytes: number;
}

interface Wanted extends AddedSelection {
  readonly time: FieldRef | undefined;
  readonly window: Window;
}

/**
 * Keeps the groups of facets of events and reports, to which rows are only added: after a report its own rows are counted alone, and
 * when the range of time moves, those that come into it and those that leave it. Of 260,000 events of a day the engine needs 50 ms
 * to count the nodes of each resource. They are kept from the second time on.
 */
export class AddedCounts {
  readonly #database: Database;
  readonly #inactiveNodes: Pick<InactiveNodes, "state">;
  readonly #kept: KeptResults<Kept>;

  /** @param limit maximum bytes of the cache */
  constructor(database: Database, inactiveNodes: Pick<InactiveNodes, "state">, limit = memoryBudget().keptGroups) {
    this.#database = database;
    this.#inactiveNodes = inactiveNodes;
    this.#kept = new KeptResults(limit);
  }

  /** Bytes of the cache. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * Facets as of one state of the store, which includes all earlier commits.
   * @returns undefined if the engine must count all rows
   */
  async read(selection: FacetSelection, context: CompileContext, options: ReadOptions): Promise<Facets | undefined> {
    const wanted = wantedOf(selection);
    const version = this.#version();
    const inactive = this.#inactiveNodes.state;
    if (wanted === undefined || version === undefined || inactive === undefined) return undefined;
    const all = { sign: 1, where: null } as const;
    // A range of time that moves keeps its length; counts of a longer one are others. When other nodes are inactive, all rows are counted.
    const of = `${wanted.time?.name} ${lengthOf(wanted.window)} ${inactive.number} `;
    const found = this.#kept.find(compileAddedCounts(wanted, [all], context), of);
    if (found === undefined) return undefined;
    const { key, kept } = found;
    const moved = kept === "seen" || kept.version !== version ? undefined : movedWindow(kept.window, wanted.window);
    const [counts, parts] =
      kept === "seen" || moved === undefined
        ? [emptyCounts(wanted, version), [{ ...all, where: withinWindow(wanted.time, wanted.window) }]]
        : [kept, partsOf(wanted, kept, moved)];
    const { commit, window } = counts;
    const rows = await this.#rows(wanted, parts, context, options);
    // Meanwhile rows may have been deleted, or another request may have counted the same rows.
    const isAsBefore = counts.commit === commit && counts.window === window;
    if (this.#version() !== version || !isAsBefore || !inactive.isCurrent()) return undefined;
    if (counts === kept && !this.#kept.has(key, counts)) return undefined;
    if (rows === undefined || !isAdded(counts, rows) || !this.#kept.fits(counts)) {
      this.#kept.keep(key, "unfit");
      return undefined;
    }
    counts.window = wanted.window;
    this.#kept.keep(key, counts);
    return facetsOf(selection, counts);
  }

  /** @returns undefined if there are too many */
  async #rows(
    wanted: Wanted,
    parts: readonly CountedPart[],
    context: CompileContext,
    options: ReadOptions,
  ): Promise<readonly Row[] | undefined> {
    const found: Row[] = [];
    for await (const rows of this.#database.stream(compileAddedCounts(wanted, parts, context), options)) {
      for (const text of rows.texts()) found.push(parseJson(text) as unknown as Row);
      if (found.length > MOST_GROUPS) return undefined;
    }
    return found;
  }

  #version(): string | undefined {
    const versions = TABLES.map((table) => this.#database.versions.ofRows(table));
    return versions.includes(undefined) ? undefined : versions.join(" ");
  }
}

/** @returns undefined if counts cannot be kept */
function wantedOf({ rows, facets, filters, like, per, distinct }: FacetSelection): Wanted | undefined {
  const of = entities[rows.entity.alias];
  if (of === undefined || filters.length > 0 || like !== undefined || facets.length === 0) return undefined;
  if (![per, distinct].every((field) => field === undefined || field.name === "certname")) return undefined;
  const { time, window, others } = windowOf(rows.where);
  const isOwn = (field: FacetField): boolean => isKeptField(field) && isOfRow(field, of.own);
  if ((others !== null && !isOfRowAlone(others, of.own)) || !facets.flat().every(isOwn)) return undefined;
  const withNodes = per !== undefined || distinct !== undefined;
  return { rows: { ...rows, where: others }, id: of.id, facets, withNodes, time, window };
}

/** Whether a row meets a condition or not from the moment when it is stored, as long as its node is active or not. */
function isOfRowAlone(condition: Condition, own: readonly string[]): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.clauses.every((clause) => isOfRowAlone(clause, own));
    case "not":
    case "known":
      return isOfRowAlone(condition.clause, own);
    case "compare":
    case "text":
    case "null":
    case "one-of":
      return isOwnField(condition.ref, own);
    default:
      return condition.kind === "constant" || condition.kind === "node-state";
  }
}

function isOfRow(field: FacetField, own: readonly string[]): boolean {
  if (field.kind === "part") return false;
  if (field.kind === "field") return isOwnField(field.ref, own);
  return field.cases.every(({ when }) => when === undefined || isOfRowAlone(when, own));
}

/** Whether a field is in the entity's own tables. The name of a node never changes. */
function isOwnField({ field }: FieldRef, own: readonly string[]): boolean {
  return (
    field.node !== undefined || (needsOf(field.sql).every((table) => own.includes(table)) && !hasSubquery(field.sql))
  );
}

function emptyCounts({ facets, window }: Wanted, version: string): Kept {
  const groups = [...facets, []].map(() => new Map<string, Group>());
  return { commit: 0, version, window, groups, pairs: new PairCounts(), next: 0, textBytes: 0, bytes: 0 };
}

/** The rows that are new, and those that come into the window and leave it. */
function partsOf({ time, window }: Wanted, { commit: last }: Kept, { added, removed }: Moved): CountedPart[] {
  const old = { are: "old", last } as const;
  return [
    { sign: 1, where: withinWindow(time, window), ids: { are: "new", last } },
    ...added.map((within): CountedPart => ({ sign: 1, where: withinWindow(time, within), ids: old })),
    ...removed.map((within): CountedPart => ({ sign: -1, where: withinWindow(time, within), ids: old })),
  ];
}

/**
 * Adds rows to counts, or takes them away.
 * @returns false if a text is too long to be kept
 */
function isAdded(kept: Kept, rows: readonly Row[]): boolean {
  // Rows are taken away last, so that no count is negative meanwhile.
  for (const [facet, sign, count, last, keys, nodes] of rows.toSorted(([, a], [, b]) => b - a)) {
    if (!isText(keys)) return false;
    const group = groupOf(kept, facet, keys);
    group.rows += sign * count;
    for (const node of nodes) {
      const left = kept.pairs.add(group.number, node, sign);
      if (sign > 0 ? left === 1 : left === 0) group.nodes += sign;
    }
    if (group.rows === 0) remove(kept, facet, group);
    kept.commit = Math.max(kept.commit, last);
  }
  const groups = kept.groups.reduce((sum, { size }) => sum + size, 0);
  kept.bytes = kept.textBytes + groups * GROUP_BYTES + kept.pairs.bytes;
  return groups <= MOST_GROUPS;
}

function isText(cells: readonly Cell[]): cells is readonly (string | null)[] {
  return cells.every((cell) => cell !== TOO_LONG);
}

function groupOf(kept: Kept, facet: number, texts: readonly (string | null)[]): Group {
  const key = JSON.stringify(texts);
  const groups = kept.groups[facet];
  const found = groups?.get(key);
  if (found !== undefined) return found;
  const made: Group = { number: kept.next++, texts, rows: 0, nodes: 0 };
  groups?.set(key, made);
  kept.textBytes += 4 * key.length;
  return made;
}

function remove(kept: Kept, facet: number, { texts }: Group): void {
  const key = JSON.stringify(texts);
  kept.groups[facet]?.delete(key);
  kept.textBytes -= 4 * key.length;
}

function facetsOf({ facets, limit, per, distinct }: FacetSelection, { groups }: Kept): Facets {
  const countOf = ({ rows, nodes }: Group): number => (per === undefined ? rows : nodes);
  const [all] = groups.at(-1)?.values() ?? [];
  return {
    total: all === undefined ? 0 : countOf(all),
    facets: facets.map((fields, index) => {
      const counted = [...(groups[index]?.values() ?? [])].map((group) => ({
        texts: group.texts,
        count: countOf(group),
        ...(distinct === undefined ? {} : { distinct: group.nodes }),
      }));
      return facetOf(fields, counted, limit);
    }),
  };
}
