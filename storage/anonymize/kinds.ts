/**
 * The content of an archive by kind (reference/archive.md §5.1). Each profile decides for each kind whether it is
 * replaced; the replacement is the same for all profiles.
 */
export const kinds = {
  node: {
    what: "names of nodes and of compilers (`producer`), everywhere",
    becomes: "a host name of 10, 15 and 3 letters",
  },
  type: { what: "types of resources", becomes: "a capitalised word of 10 letters", looksAt: "type" },
  tag: {
    what: "tags of resources and of log lines, names of the metrics of category `time`",
    becomes: "as for a type, in lower case; a tag that is the resource's type stays so",
    looksAt: "tag",
  },
  title: { what: "titles of resources, classes included", becomes: "letters", looksAt: "type" },
  "parameter-name": { what: "names of parameters, of properties and of events", becomes: "lower-case letters" },
  "parameter-value": { what: "values of parameters, old and new values of events", becomes: "the same type of value" },
  "catalog-input-type": { what: "types of catalog inputs", becomes: "lower-case letters" },
  "catalog-input-value": { what: "names of catalog inputs", becomes: "lower-case letters" },
  file: { what: "manifests that resources and log lines come from", becomes: "the path of a manifest" },
  line: { what: "their line numbers", becomes: "a smaller number" },
  message: { what: "messages of events", becomes: "letters" },
  text: { what: "messages of log lines", becomes: "`?` for every character" },
  "fact-name": { what: "names of facts, at every depth", becomes: "letters", looksAt: "fact name" },
  "fact-value": {
    what: "values of facts, versions of packages",
    becomes: "the same type of value",
    looksAt: "fact name",
  },
  environment: { what: "environments", becomes: "letters" },
  version: {
    what: "versions of catalogs and of code (`version`, `configuration_version`, `code_id`, `job_id`)",
    becomes: "letters",
    looksAt: "version",
  },
  uuid: { what: "`transaction_uuid` and `catalog_uuid`", becomes: "a UUID" },
} as const satisfies Record<string, KindDeclaration>;

export interface KindDeclaration {
  readonly what: string;
  readonly becomes: string;
  /**
   * The values that the rules for this kind apply to; kinds without it have no rules, they are always hidden or kept.
   */
  readonly looksAt?: "type" | "fact name" | "tag" | "version";
}

export type Kind = keyof typeof kinds;

/** Kinds whose values are texts; tags are replaced as the types they may name. */
export type TextKind = Exclude<Kind, "line" | "tag">;

/** Kinds whose values are any JSON. */
export type ValueKind = "parameter-value" | "fact-value";

/** Kinds that have rules. */
export type RuledKind = { [K in Kind]: (typeof kinds)[K] extends { looksAt: string } ? K : never }[Kind];
