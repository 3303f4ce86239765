import { isObject } from "../../json.ts";
import { container, logSource } from "../references.ts";
import { parameterValue, tag } from "./catalog.ts";
import { each, kept, line, onText, record, text, time, type, unexpected, uuid, version, type Walk } from "./walk.ts";

const event = record({
  status: kept,
  timestamp: time,
  property: text("parameter-name"),
  name: text("parameter-name"),
  old_value: parameterValue,
  new_value: parameterValue,
  message: text("message"),
  corrective_change: kept,
});

const resource = record(
  {
    skipped: kept,
    timestamp: time,
    resource_type: type,
    resource_title: text("title"),
    file: text("file"),
    line,
    containment_path: each(onText((value, to) => container(value, to))),
    corrective_change: kept,
    events: each(event),
  },
  "resource_type",
);

const log = record({
  level: kept,
  message: text("text"),
  source: onText((value, to) => logSource(value, to)),
  tags: each(tag),
  time,
  file: text("file"),
  line,
});

const timing = record({ category: kept, name: tag, value: kept });
const count = record({ category: kept, name: kept, value: kept });

/** Durations by type of resource. */
const metric: Walk = (value, to, type) => {
  if (!isObject(value)) return unexpected(value, to);
  return (value["category"] === "time" ? timing : count)(value, to, type);
};

/** `store report` 8 (reference/archive.md §5.2). */
export const report = record({
  certname: text("node"),
  producer: text("node"),
  environment: text("environment"),
  transaction_uuid: uuid,
  catalog_uuid: uuid,
  code_id: version,
  job_id: version,
  configuration_version: version,
  puppet_version: kept,
  report_format: kept,
  start_time: time,
  end_time: time,
  producer_timestamp: time,
  type: kept,
  status: kept,
  cached_catalog_status: kept,
  noop: kept,
  noop_pending: kept,
  corrective_change: kept,
  resources: each(resource),
  logs: each(log),
  metrics: each(metric),
});
