/** A value as a text in which items and members are sorted, for comparisons where their order has no meaning. */
export function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).sort().join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}:${inOrder(member)}`)
    .sort()
    .join()}}`;
}
