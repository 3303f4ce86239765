/** Whether a path is one of a page: `:name` is any segment, `:name?` one that may be absent. */
export function matchesPage(path: string, pattern: string): boolean {
  const [given, declared] = [path, pattern].map((each) => each.split("/").filter((segment) => segment !== ""));
  if (given === undefined || declared === undefined || given.length > declared.length) return false;
  return declared.every((segment, at) =>
    segment.startsWith(":") ? at in given || segment.endsWith("?") : segment === given[at],
  );
}
