/** A number with its noun: `1 row`, `3 rows`, `2 families`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
