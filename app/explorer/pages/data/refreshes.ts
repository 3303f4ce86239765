import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { DataRequest } from "./fetch-json.ts";

/** Grows when the user refreshes: all data are then fetched again. */
export const refreshes = signal(0);

/** Grows when the page follows the store: data that may have changed are then fetched again. */
export const arrivals = signal(0);

/** The arrival with which each entity last changed. */
const changedWith = new Map<string, number>();
let allChangedWith = 0;

/** Lets the data of these entities be fetched again. @param changed undefined: all data */
export function arrive(changed: ReadonlySet<string> | undefined): void {
  const arrival = arrivals.peek() + 1;
  if (changed === undefined) allChangedWith = arrival;
  else for (const name of changed) changedWith.set(name, arrival);
  arrivals.value = arrival;
}

/** The last arrival that may have changed what a request returns: of an entity that it names. */
export function arrivalOf(request: (DataRequest & { readonly pql?: string }) | undefined): number {
  // Read first, so that the component is rendered again with the next one.
  if (arrivals.value === 0 || request === undefined) return 0;
  // Issues are made of reports.
  const text = `${request.path} ${request.pql ?? ""} ${JSON.stringify(request.parameters)}`.replaceAll(
    "issues",
    "reports",
  );
  const own = [...changedWith].map(([name, arrival]) => (new RegExp(String.raw`\b${name}\b`).test(text) ? arrival : 0));
  return Math.max(allChangedWith, ...own);
}

/** Whether what is fetched under a key was last requested because the page follows the store: it is then not shown as loading. */
export function useIsArriving(key: string | undefined): boolean {
  const now = { key, arrivals: arrivals.value, refreshes: refreshes.value };
  const before = useRef({ ...now, isArriving: false });
  const { current } = before;
  if (now.arrivals !== current.arrivals) before.current = { ...now, isArriving: true };
  else if (now.key !== current.key || now.refreshes !== current.refreshes)
    before.current = { ...now, isArriving: false };
  return before.current.isArriving;
}
