/** A number with its noun: `1 row`, `3,000 rows`, `2 families`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : several}`;
}
