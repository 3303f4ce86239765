import { signal } from "@preact/signals";
import { stored } from "../data/stored.ts";

const storedFacts = stored<readonly string[]>("facts", {
  read: (value) => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined),
  fallback: [],
});

/** Facts that are facets in this browser, as fields: `facts.timezone`. */
export const pinnedFacts = signal(storedFacts.read());

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
  storedFacts.write(fields);
}
