import type { Condition, FieldRef } from "../tree.ts";

/** Times in microseconds since the epoch; `to` is after the last one. */
export interface Window {
  readonly from: bigint | null;
  readonly to: bigint | null;
}

/** A condition in two parts. */
export interface Windowed {
  /** The time that rows are selected by; undefined where they are of all times. */
  readonly time: FieldRef | undefined;
  readonly window: Window;
  readonly others: Condition | null;
}

/** Splits a condition into the bounds of one time and all the rest. */
export function windowOf(where: Condition | null): Windowed {
  const clauses = where === null ? [] : clausesOf(where);
  const time = clauses.map(boundOf).find((bound) => bound !== undefined)?.ref;
  let window: Window = { from: null, to: null };
  const others: Condition[] = [];
  for (const clause of clauses) {
    const bound = boundOf(clause);
    if (bound === undefined || bound.ref.name !== time?.name) others.push(clause);
    else window = narrowed(window, bound);
  }
  return { time, window, others: others.length === 0 ? null : { kind: "and", clauses: others } };
}

/** The condition that a time is in a window; null where every time is. */
export function withinWindow(ref: FieldRef | undefined, { from, to }: Window): Condition | null {
  const bounds: Condition[] = [];
  if (ref !== undefined && from !== null) bounds.push({ kind: "compare", ref, op: ">=", value: { micros: from } });
  if (ref !== undefined && to !== null) bounds.push({ kind: "compare", ref, op: "<", value: { micros: to } });
  return bounds.length === 0 ? null : { kind: "and", clauses: bounds };
}

/** Microseconds; null where it has no beginning or no end. */
export function lengthOf({ from, to }: Window): bigint | null {
  return from === null || to === null ? null : to - from;
}

/** How a window becomes another one. */
export interface Moved {
  readonly added: readonly Window[];
  readonly removed: readonly Window[];
}

/** @returns undefined where less than half of either is in the other */
export function movedWindow(before: Window, now: Window): Moved | undefined {
  const [added, removed]: [Window[], Window[]] = [[], []];
  const move = (one: bigint | null, other: bigint | null, [earlier, later]: [Window[], Window[]]): boolean => {
    if (one === other) return true;
    if (one === null || other === null) return false;
    if (other < one) earlier.push({ from: other, to: one });
    else later.push({ from: one, to: other });
    return true;
  };
  if (!move(before.from, now.from, [added, removed]) || !move(before.to, now.to, [removed, added])) return undefined;
  if (added.length === 0 && removed.length === 0) return { added, removed };
  if (before.from === null || before.to === null || now.from === null || now.to === null) return { added, removed };
  const [from, to] = [later(before.from, now.from), earlier(before.to, now.to)];
  const longest = later(before.to - before.from, now.to - now.from);
  return 2n * (to - from) >= longest ? { added, removed } : undefined;
}

interface Bound extends Window {
  readonly ref: FieldRef;
}

function boundOf(clause: Condition): Bound | undefined {
  if (clause.kind !== "compare" || typeof clause.value !== "object" || !("micros" in clause.value)) return undefined;
  const { ref, op, value } = clause;
  const { micros } = value;
  switch (op) {
    case ">=":
      return { ref, from: micros, to: null };
    case ">":
      return { ref, from: micros + 1n, to: null };
    case "<":
      return { ref, from: null, to: micros };
    case "<=":
      return { ref, from: null, to: micros + 1n };
    default:
      return undefined;
  }
}

function narrowed(window: Window, { from, to }: Window): Window {
  return {
    from: window.from === null || from === null ? (window.from ?? from) : later(window.from, from),
    to: window.to === null || to === null ? (window.to ?? to) : earlier(window.to, to),
  };
}

function clausesOf(where: Condition): readonly Condition[] {
  return where.kind === "and" ? where.clauses.flatMap(clausesOf) : [where];
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function earlier(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
