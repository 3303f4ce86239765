import type { JsonObject } from "#storage/json.ts";

/** A resource that the nodes of an incident have besides the generated ones. */
export interface ManagedResource {
  readonly type: string;
  readonly title: string;
  readonly parameters: JsonObject;
  /** the class that has it */
  readonly holder: string;
  readonly file: string;
  readonly line: number;
}

/** Adds a resource to a catalog, in its class. */
export function addResource(catalog: JsonObject, resource: ManagedResource): void {
  const { type, title, parameters, holder, line } = resource;
  const resources = catalog["resources"] as JsonObject[];
  const edges = catalog["edges"] as JsonObject[];
  const contains = (source: JsonObject, target: JsonObject): void => {
    edges.push({ source, target, relationship: "contains" });
  };
  const holding = { type: "Class", title: holder };
  if (!resources.some((other) => other["type"] === "Class" && other["title"] === holder)) {
    resources.push({ ...holding, exported: false, tags: ["class"], parameters: {} });
    contains({ type: "Class", title: "Main" }, holding);
  }
  const file = fileOf(resource, catalog["environment"] as string);
  resources.push({ type, title, exported: false, tags: [type.toLowerCase()], parameters, file, line });
  contains(holding, { type, title });
}

/** The path of the manifest that declares a resource. */
export function fileOf({ file }: ManagedResource, environment: string): string {
  return `/etc/puppetlabs/code/environments/${environment}/modules/${file}`;
}
