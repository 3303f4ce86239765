/** Whether a path is a prefix or below it: `/pdb` is above `/pdb/query`, not above `/pdbx`. */
export function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/");
}

/** A path after those above it, the topmost first: `/a/b` → `/a`, `/a/b`; of no path none. */
export function leadingPaths(path: string | undefined): readonly string[] {
  const segments = (path ?? "").split("/").filter((segment) => segment !== "");
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
}
