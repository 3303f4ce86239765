import { isNumber, type Json } from "#storage/json.ts";
import type { StateKey } from "#storage/states/node-state.ts";

/** The kinds of columns by their values, which decide how a terminal shows them (`cell-forms.ts`). */
export type ColumnKind =
  | "certname"
  | "message"
  | "resource"
  | "state"
  | "time"
  | "hash"
  | "duration"
  | "path"
  | "number"
  | "text";

/** The more important a column is, the later it is left out: `main` columns never are. */
export const importances = ["main", "useful", "detail", "background"] as const;

export type Importance = (typeof importances)[number];

/** How a column is shown on a terminal. */
export interface Column {
  readonly kind: ColumnKind;
  readonly importance: Importance;
  /** Instead of the field's name, where that has no meaning in a query. */
  readonly heading?: string;
  /** For a state whose values are not names of states: the states that they mean. */
  readonly states?: Readonly<Record<string, StateKey>>;
  /** The text for a value that is null. */
  readonly absent?: string;
}

const column = (kind: ColumnKind, importance: Importance, more: Partial<Column> = {}): Column => ({
  kind,
  importance,
  ...more,
});

/** Fields of entities and of short forms. A field has the same column wherever it occurs. */
export const columns: Readonly<Record<string, Column>> = {
  // Issues.
  issue: column("hash", "useful"),
  issue_state: column("text", "useful", { heading: "state" }),
  still: column("number", "useful"),
  has_it: column("text", "useful", { heading: "has it" }),
  last_run: column("state", "useful", { heading: "last run" }),
  first: column("time", "detail"),
  last: column("time", "useful"),
  // Which node, which resource, what happened.
  certname: column("certname", "main"),
  message: column("message", "main"),
  resource: column("resource", "main"),
  status: column("state", "main"),
  latest_report_status: column("state", "main", { absent: "never reported" }),
  name: column("text", "main"),
  value: column("text", "main"),
  count: column("number", "main"),
  type: column("text", "main"),
  title: column("resource", "main"),
  package_name: column("text", "main"),
  version: column("text", "main"),
  class: column("text", "main"),
  kind: column("text", "main"),
  match: column("message", "main"),
  parameter: column("text", "main"),
  source_type: column("text", "main"),
  source_title: column("resource", "main"),
  relationship: column("text", "main"),
  target_type: column("text", "main"),
  target_title: column("resource", "main"),
  resource_type: column("text", "main"),
  resource_title: column("resource", "main"),

  // What changed of a node, and in which run.
  what: column("resource", "main"),
  change: column("text", "useful"),
  before: column("text", "main"),
  after: column("text", "main"),
  from: column("time", "useful"),
  until: column("time", "detail"),
  since: column("time", "main"),
  transaction: column("text", "background"),

  // When.
  timestamp: column("time", "useful"),
  report_timestamp: column("time", "useful"),
  report_due: column("time", "useful"),
  end_time: column("time", "useful"),
  start_time: column("time", "detail"),
  deactivated: column("time", "useful"),
  expired: column("time", "useful"),
  facts_timestamp: column("time", "detail"),
  catalog_timestamp: column("time", "detail"),
  producer_timestamp: column("time", "useful"),
  expires_facts_updated: column("time", "background"),
  receive_time: column("time", "background"),
  report_receive_time: column("time", "background"),
  run_start_time: column("time", "background"),
  run_end_time: column("time", "background"),

  // How a run went.
  failed: column("number", "useful"),
  changed: column("number", "useful"),
  skipped: column("number", "detail"),
  total: column("number", "background"),
  seconds: column("duration", "detail", { heading: "duration" }),
  duration: column("duration", "useful"),
  mean: column("duration", "useful"),
  longest: column("duration", "useful"),
  earlier: column("duration", "main"),
  recent: column("duration", "main"),
  factor: column("number", "main"),
  median: column("duration", "main"),
  p95: column("duration", "main", { heading: "95 % within" }),
  noop: column("state", "background", { states: { true: "pending" } }),
  noop_pending: column("state", "detail", { states: { true: "pending" } }),
  corrective_change: column("state", "detail", { states: { true: "corrective" } }),
  is_current: column("text", "background"),
  latest_report_noop: column("state", "background", { states: { true: "pending" } }),
  latest_report_noop_pending: column("state", "detail", { states: { true: "pending" } }),
  latest_report_corrective_change: column("state", "detail", { states: { true: "corrective" } }),
  cached_catalog_status: column("state", "detail"),
  metrics: column("text", "background"),
  logs: column("text", "background"),
  resource_events: column("text", "background"),

  // What changed, and where that is declared.
  property: column("text", "detail"),
  old_value: column("text", "useful"),
  new_value: column("text", "useful"),
  file: column("path", "detail"),
  line: column("number", "detail"),
  declared: column("path", "detail"),
  containing_class: column("text", "detail"),
  containment_path: column("text", "background"),
  parameters: column("text", "useful"),
  tags: column("text", "background"),
  tag: column("text", "background"),
  exported: column("text", "background"),

  // Which environment, code and producer.
  environment: column("text", "useful"),
  report_environment: column("text", "useful"),
  catalog_environment: column("text", "detail"),
  facts_environment: column("text", "detail"),
  producer: column("certname", "detail"),
  puppet_version: column("text", "detail"),
  configuration_version: column("text", "background"),
  code_id: column("text", "background"),
  job_id: column("text", "background"),
  latest_report_job_id: column("text", "background"),
  catalog_uuid: column("text", "background"),
  transaction_uuid: column("text", "background"),
  report_format: column("number", "background"),
  "latest_report?": column("text", "background"),

  // Hashes.
  hash: column("hash", "detail"),
  report: column("hash", "background"),
  latest_report_hash: column("hash", "background"),

  // Facts, catalogs and packages.
  path: column("path", "main"),
  depth: column("number", "detail"),
  facts: column("text", "useful"),
  trusted: column("text", "detail"),
  inputs: column("text", "useful"),
  edges: column("text", "useful"),
  resources: column("text", "useful"),
  expires_facts: column("text", "background"),
  provider: column("text", "useful"),
  oldest: column("text", "main"),
  newest: column("text", "main"),
  versions: column("number", "detail"),

  // Groups.
  nodes: column("number", "main"),
  certnames: column("text", "useful"),
  changes: column("number", "main"),
  runs: column("number", "useful"),
  package_inventory: column("text", "background"),
};

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const HASH = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/;

/** Whether a text is a time as answers have it, in UTC. */
export function isTime(text: string): boolean {
  return TIME.test(text);
}

/**
 * The column of a field: as {@link columns} has it, or as all its values suggest.
 * @param values may be none
 */
export function columnOf(name: string, values: readonly Json[]): Column {
  const known = Object.hasOwn(columns, name) ? columns[name] : undefined;
  const given = values.filter((value) => value !== null && value !== "");
  const areAll = (test: (value: Json) => boolean): boolean => given.length > 0 && given.every(test);
  const areHashes = areAll((value) => typeof value === "string" && HASH.test(value));
  // The field `resource` is a hash in one entity and a name in a short form.
  if (known?.kind === "resource" && areHashes) return { kind: "hash", importance: "background" };
  if (known !== undefined) return known;
  if (areHashes) return { kind: "hash", importance: "useful" };
  if (areAll(isNumber)) return { kind: "number", importance: "useful" };
  if (areAll((value) => typeof value === "string" && TIME.test(value))) return { kind: "time", importance: "useful" };
  return { kind: "text", importance: "useful" };
}
