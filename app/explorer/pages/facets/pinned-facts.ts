import { signal } from "@preact/signals";

const KEY = "census.facts";

/** Facts that are facets in this browser, as fields: `facts.timezone`. */
export const pinnedFacts = signal<readonly string[]>(read());

function read(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Shows a fact as a facet from now on, in this browser. */
export function pinFact(field: string): void {
  if (!pinnedFacts.value.includes(field)) keep([...pinnedFacts.value, field]);
}

/** No longer shows a fact as a facet. */
export function unpinFact(field: string): void {
  keep(pinnedFacts.value.filter((one) => one !== field));
}

function keep(fields: readonly string[]): void {
  pinnedFacts.value = fields;
  try {
    localStorage.setItem(KEY, JSON.stringify(fields));
  } catch {
    // Browsers without storage keep them as long as the page is open.
  }
}
