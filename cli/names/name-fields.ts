import { type UsedName, usedName } from "./used-name.ts";

type FieldKind = "certname" | "fact" | "environment" | "package" | "provider" | "producer" | "hash" | "class";

/** Fields whose values are names, whatever the entity. */
const everywhere: Readonly<Record<string, FieldKind>> = {
  certname: "certname",
  environment: "environment",
  facts_environment: "environment",
  catalog_environment: "environment",
  report_environment: "environment",
  package_name: "package",
  provider: "provider",
  producer: "producer",
  containing_class: "class",
  latest_report_hash: "hash",
};

/** Fields whose values are names of another kind in some entity. */
const byEntity: Readonly<Record<string, Readonly<Record<string, FieldKind>>>> = {
  facts: { name: "fact" },
  fact_contents: { name: "fact" },
  fact_paths: { name: "fact" },
  environments: { name: "environment" },
  producers: { name: "producer" },
  reports: { hash: "hash" },
  events: { report: "hash" },
};

const statusesOfReports = ["failed", "changed", "unchanged"];

const statuses: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  nodes: { latest_report_status: statusesOfReports },
  reports: { status: statusesOfReports },
  events: { status: ["success", "failure", "noop", "skipped"] },
};

/** Two fields that name a resource together. */
export interface ResourceFields {
  readonly type: string;
  readonly title: string;
}

const resourceFields: Readonly<Record<string, readonly ResourceFields[]>> = {
  resources: [{ type: "type", title: "title" }],
  events: [{ type: "resource_type", title: "resource_title" }],
  edges: [
    { type: "source_type", title: "source_title" },
    { type: "target_type", title: "target_title" },
  ],
};

/** The fields that name resources in an entity. */
export function resourceFieldsOf(entity: string): readonly ResourceFields[] {
  return resourceFields[entity] ?? [];
}

/** The name that a value of a field is, if the field's values are names. */
export function nameIn(entity: string, fieldName: string, text: string): UsedName[] {
  const words = statuses[entity]?.[fieldName];
  if (words !== undefined) return [{ kind: "word", of: `${fieldName} of ${entity}`, text, words }];
  const kind = byEntity[entity]?.[fieldName] ?? everywhere[fieldName];
  // A query compares titles as they are, in upper and lower case.
  if (kind === "class") return [{ kind: "resource", type: "Class", title: text }];
  return kind === undefined ? [] : usedName(kind, text);
}

/** What an entity consists of, where sources often have nothing of it. */
export function contentOf(entity: string): UsedName[] {
  return entity === "packages" || entity === "package_inventory" ? usedName("package", "*") : [];
}
