/** What a cell is sorted by. */
export type SortValue = string | number | boolean | null | undefined;

const collator = new Intl.Collator("en", { numeric: true });

/** Numbers by size, texts with the numbers in them by size; nothing at the end, in descending order too. */
export function compareNaturally(one: SortValue, other: SortValue, descending = false): number {
  const oneIsNone = one === null || one === undefined;
  const otherIsNone = other === null || other === undefined;
  if (oneIsNone || otherIsNone) return Number(oneIsNone) - Number(otherIsNone);
  const isText = typeof one === "string" || typeof other === "string";
  const order = isText ? collator.compare(String(one), String(other)) : Number(one) - Number(other);
  return descending ? -order : order;
}
