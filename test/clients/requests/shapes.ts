import { z, type ZodRawShape } from "zod";

/** Always with three digits and `Z`: pypuppetdb parses `%Y-%m-%dT%H:%M:%S.%fZ` and nothing else (`reference/clients.md §3`). */
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const text = z.string();
export const maybeText = z.string().nullable();
const maybeTime = time.nullable();
const maybeTruth = z.boolean().nullable();
export const hash = z.string().regex(/^[0-9a-f]{40}$/);
export const uuid = z.uuid();
/** Any JSON, but it must be there. */
export const value = z.json();

/** At least one row with these fields. */
export const rows = (shape: ZodRawShape) => z.array(z.looseObject(shape)).min(1);

/** A collection within a row. */
export const nested = (shape: ZodRawShape) => z.looseObject({ data: rows(shape), href: text });

/** What pypuppetdb wants to find in each object (`reference/clients.md §5`); a KeyError otherwise. */
export const node = {
  certname: text,
  deactivated: maybeTime,
  expired: maybeTime,
  report_timestamp: maybeTime,
  catalog_timestamp: maybeTime,
  facts_timestamp: maybeTime,
  report_environment: maybeText,
  catalog_environment: maybeText,
  facts_environment: maybeText,
  latest_report_status: maybeText,
  latest_report_hash: hash.nullable(),
  latest_report_noop: maybeTruth,
  latest_report_noop_pending: maybeTruth,
  latest_report_corrective_change: maybeTruth,
  cached_catalog_status: maybeText,
} as const;

export const report = {
  certname: text,
  hash,
  start_time: time,
  end_time: time,
  receive_time: time,
  configuration_version: text,
  report_format: z.int(),
  puppet_version: text,
  transaction_uuid: uuid.nullable(),
  environment: text,
  status: text,
  noop: maybeTruth,
  noop_pending: maybeTruth,
  metrics: z.looseObject({
    data: z.array(z.looseObject({ name: text, value: z.number(), category: text })).nullable(),
  }),
  logs: z.looseObject({ data: z.array(z.looseObject({ level: text, message: text, time: text })).nullable() }),
  code_id: maybeText,
  catalog_uuid: uuid.nullable(),
  cached_catalog_status: maybeText,
} as const;

export const event = {
  certname: text,
  status: text,
  timestamp: time,
  report: hash,
  resource_type: text,
  resource_title: text,
  property: maybeText,
  message: maybeText,
  old_value: value,
  new_value: value,
  containing_class: maybeText,
  containment_path: z.array(text),
  file: maybeText,
  line: z.int().nullable(),
} as const;

export const fact = { certname: text, name: text, value, environment: text } as const;

export const resource = {
  certname: text,
  type: text,
  title: text,
  tags: z.array(text),
  exported: z.boolean(),
  file: maybeText,
  line: z.int().nullable(),
  parameters: z.record(text, z.json()),
  environment: text,
} as const;

const end = z.string();

export const catalog = {
  certname: text,
  version: text,
  transaction_uuid: uuid.nullable(),
  environment: text,
  edges: nested({ source_type: end, source_title: end, target_type: end, target_title: end, relationship: text }),
  resources: nested({ type: text, title: text, tags: z.array(text), exported: z.boolean() }),
  code_id: maybeText,
  catalog_uuid: uuid.nullable(),
} as const;

export const eventCounts = {
  subject_type: text,
  subject: z.looseObject({ title: text }),
  successes: z.int(),
  failures: z.int(),
  noops: z.int(),
  skips: z.int(),
} as const;

/** One row with a number of rows. */
export const count = z.tuple([z.looseObject({ count: z.int().min(1) })]);

/** What comes back for a command. */
export const accepted = z.looseObject({ uuid });

/** What Jolokia says of a value that there is. */
export const read = (value: z.ZodType) =>
  z.looseObject({ request: z.looseObject({ type: z.literal("read") }), value, status: z.literal(200) });
