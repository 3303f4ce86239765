/**
 * What the endpoints are for, which is what a policy speaks of. The paths are those that the router sees; the first
 * row that fits counts. An endpoint that has no row here is closed as soon as there is a policy.
 */
const paths = [
  { prefix: "/pdb/query", family: "query" },
  { prefix: "/pdb/ext", family: "query" },
  { prefix: "/pdb/cmd", family: "command" },
  { prefix: "/pdb/admin/v1/archive", family: "archive" },
  { prefix: "/pdb/admin", family: "admin" },
  { prefix: "/pdb/meta", family: "status" },
  { prefix: "/pdb/dashboard/data", family: "metrics" },
  { prefix: "/pdb/dashboard", family: "pages" },
  { prefix: "/metrics", family: "metrics" },
  { prefix: "/status", family: "status" },
  { prefix: "/openapi.json", family: "status" },
] as const;

/** A family of endpoints. `pages` are what a browser shows: they hold no data themselves. */
export type Family = (typeof paths)[number]["family"];

/** Every family, in the order in which they are declared. */
export const families: readonly Family[] = [...new Set(paths.map(({ family }) => family))];

/** The family that a path belongs to. */
export function familyOf(path: string): Family | undefined {
  if (path === "/" || path === "/pdb" || path === "/pdb/") return "pages";
  return paths.find(({ prefix }) => isBelow(path, prefix))?.family;
}

/** Whether a path is a prefix or below it: `/pdb` is above `/pdb/query`, not above `/pdbx`. */
export function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/");
}
