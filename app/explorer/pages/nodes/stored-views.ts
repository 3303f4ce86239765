import { searchOf, type View, viewOf } from "./views.ts";

const KEY = "census.views.nodes";

/** Views that were saved in this browser. */
export function storedViews(): readonly View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((one: unknown) => readView(one) ?? []);
  } catch {
    return [];
  }
}

function readView(stored: unknown): View | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { name, search } = stored as { name?: unknown; search?: unknown };
  return typeof name === "string" && typeof search === "string" ? viewOf(search, name) : undefined;
}

/** Remembers views, in this browser only. @returns whether the browser has storage */
export function storeViews(views: readonly View[]): boolean {
  const written = views.map(({ name, parameters }) => ({ name, search: searchOf(parameters) }));
  try {
    localStorage.setItem(KEY, JSON.stringify(written));
    return true;
  } catch {
    return false;
  }
}
