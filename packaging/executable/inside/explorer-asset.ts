/** The asset with a file of the pages. */
export function explorerAsset(name: string): string {
  return `explorer/${name}`;
}
