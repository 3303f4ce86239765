/** A resource of the catalog, without its parameters. */
export interface ResourceRow {
  readonly type: string;
  readonly title: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly tags: readonly string[];
  readonly exported: boolean;
}

/** An edge of the catalog. */
export interface EdgeRow {
  readonly relationship: string;
  readonly source_type: string;
  readonly source_title: string;
  readonly target_type: string;
  readonly target_title: string;
}

/** A resource as the table shows it. */
export interface CatalogResource extends ResourceRow {
  /** `File[/etc/motd]` */
  readonly name: string;
  /** The class that contains it, directly or within a defined type; undefined for none. */
  readonly containingClass: string | undefined;
  /** Of the last run's events, the worst; undefined: nothing happened to it. */
  readonly status: string | undefined;
}

/** What happened to a resource, the worst first. */
const worst = ["failure", "skipped", "noop", "success"];

/** The name that Puppet gives a resource in messages. */
export function resourceName(type: string, title: string): string {
  return `${type}[${title}]`;
}

/** What contains each resource, by name. */
export function containers(edges: readonly EdgeRow[]): ReadonlyMap<string, EdgeRow> {
  return new Map(
    edges
      .filter(({ relationship }) => relationship === "contains")
      .map((edge) => [resourceName(edge.target_type, edge.target_title), edge]),
  );
}

/** What a resource is contained in, the outermost first. @param name the resource's */
export function containment(name: string, byTarget: ReadonlyMap<string, EdgeRow>): readonly EdgeRow[] {
  const chain: EdgeRow[] = [];
  const seen = new Set<string>();
  for (let at = byTarget.get(name); at !== undefined;) {
    const container = resourceName(at.source_type, at.source_title);
    if (seen.has(container)) break;
    seen.add(container);
    chain.unshift(at);
    at = byTarget.get(container);
  }
  return chain;
}

/** Joins resources with their classes and with the events of the last run. */
export function catalogResources(
  resources: readonly ResourceRow[],
  edges: readonly EdgeRow[],
  events: readonly { readonly resource_type: string; readonly resource_title: string; readonly status: string }[],
): readonly CatalogResource[] {
  const byTarget = containers(edges);
  const statuses = new Map<string, string>();
  for (const { resource_type: type, resource_title: title, status } of events) {
    const name = resourceName(type, title);
    const before = statuses.get(name);
    if (before === undefined || worst.indexOf(status) < worst.indexOf(before)) statuses.set(name, status);
  }
  return resources.map((resource) => {
    const name = resourceName(resource.type, resource.title);
    const container = containment(name, byTarget).findLast(({ source_type: type }) => type === "Class");
    return { ...resource, name, containingClass: container?.source_title, status: statuses.get(name) };
  });
}
