/** The tables that hold a fact set's values; the view `facts` shows both (`storage/schema/migrations/004-facts-by-length.ts`). */
export const factTables = ["short_facts", "long_facts"] as const;

/** Values of more characters are long. Where a value lies makes no difference to an answer. */
const LONGEST_SHORT = 64;

/** The table of a value, told by its JSON text. */
export function factTable(value: string): (typeof factTables)[number] {
  return value.length > LONGEST_SHORT ? "long_facts" : "short_facts";
}
