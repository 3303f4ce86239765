/** What a cell is sorted by. */
export type SortValue = string | number | boolean | null | undefined;

const collator = new Intl.Collator("en", { numeric: true });

/** Numbers by size, texts with the numbers in them by size, nothing at the end. */
export function compareNaturally(one: SortValue, other: SortValue): number {
  const oneIsNone = one === null || one === undefined;
  const otherIsNone = other === null || other === undefined;
  if (oneIsNone || otherIsNone) return Number(oneIsNone) - Number(otherIsNone);
  if (typeof one === "string" || typeof other === "string") return collator.compare(String(one), String(other));
  return Number(one) - Number(other);
}
