/** The tables that hold a fact set's values; the view `facts` shows both (`storage/schema/migrations/004-facts-by-length.ts`). */
export const factTables = ["short_facts", "long_facts"] as const;

/** Values of more characters are long. Queries return the same whichever table has a value. */
const LONGEST_SHORT = 64;

/** The table of a value with this JSON text. */
export function factTable(value: string): (typeof factTables)[number] {
  return value.length > LONGEST_SHORT ? "long_facts" : "short_facts";
}
