import type { Json, JsonObject } from "#storage/json.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import { readCommand, type WireCommand } from "#storage/wire/read.ts";

/** Small payloads of the newest versions; tests change what they are about. */

export const UUID = "96c9b1ac-3ff5-4e85-ba80-44c8fba4c1b8";
export const RECEIVED = new Date("2024-05-06T07:08:09.123Z");

export function fileResource(changes: JsonObject = {}): JsonObject {
  return { type: "File", title: "/tmp/x", exported: false, tags: ["file"], parameters: { ensure: "file" }, ...changes };
}

export function classResource(changes: JsonObject = {}): JsonObject {
  return { type: "Class", title: "Main", exported: false, tags: ["class", "main"], parameters: {}, ...changes };
}

export function edge(changes: JsonObject = {}): JsonObject {
  return {
    source: { type: "Class", title: "Main" },
    target: { type: "File", title: "/tmp/x" },
    relationship: "contains",
    ...changes,
  };
}

export function catalog(changes: JsonObject = {}): JsonObject {
  return {
    certname: "web-01",
    version: "1",
    environment: "production",
    transaction_uuid: null,
    catalog_uuid: UUID,
    code_id: null,
    job_id: null,
    producer_timestamp: "2024-01-02T03:04:05.678Z",
    producer: "puppet",
    resources: [classResource(), fileResource()],
    edges: [edge()],
    ...changes,
  };
}

export function facts(changes: JsonObject = {}): JsonObject {
  return {
    certname: "web-01",
    environment: "production",
    producer_timestamp: "2024-01-02T03:04:05.678Z",
    producer: "puppet",
    values: { kernel: "Linux" },
    ...changes,
  };
}

export function event(changes: JsonObject = {}): JsonObject {
  return {
    status: "success",
    timestamp: "2024-01-02T03:04:05.678Z",
    property: "ensure",
    new_value: "file",
    old_value: "absent",
    message: "created",
    corrective_change: false,
    ...changes,
  };
}

export function reportResource(changes: JsonObject = {}): JsonObject {
  return {
    skipped: false,
    timestamp: "2024-01-02T03:04:05.000Z",
    resource_type: "File",
    resource_title: "/tmp/x",
    file: "/site.pp",
    line: 3,
    containment_path: ["Stage[main]", "Main", "File[/tmp/x]"],
    corrective_change: false,
    events: [event()],
    ...changes,
  };
}

export function log(changes: JsonObject = {}): JsonObject {
  return {
    file: null,
    line: null,
    level: "info",
    message: "hello",
    source: "Puppet",
    tags: ["info"],
    time: "2024-01-02T03:04:05.123456-05:30",
    ...changes,
  };
}

export function report(changes: JsonObject = {}): JsonObject {
  return {
    certname: "web-01",
    puppet_version: "8.0.0",
    report_format: 12,
    configuration_version: "1",
    start_time: "2024-01-02T03:04:05.678901Z",
    end_time: "2024-01-02T04:04:06+01:00",
    producer_timestamp: "2024-01-02T03:04:10Z",
    producer: "puppet",
    corrective_change: false,
    transaction_uuid: UUID,
    catalog_uuid: UUID,
    code_id: null,
    job_id: null,
    cached_catalog_status: "not_used",
    environment: "production",
    status: "changed",
    noop: false,
    noop_pending: false,
    metrics: [{ category: "resources", name: "total", value: 2 }],
    logs: [log()],
    resources: [reportResource()],
    ...changes,
  };
}

export function inputs(changes: JsonObject = {}): JsonObject {
  return {
    certname: "web-01",
    producer_timestamp: "2024-01-02T03:04:05.678Z",
    catalog_uuid: UUID,
    inputs: [["hiera", "ntp::servers"]],
    ...changes,
  };
}

/** `payload` without some of its keys. */
export function without(payload: JsonObject, ...keys: string[]): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !keys.includes(key)));
}

type PayloadOf<N extends CommandName> = Extract<WireCommand, { command: N }>["payload"];

/** The payload as it is read. */
export function read<N extends CommandName>(command: N, version: number, payload: Json): PayloadOf<N> {
  return readCommand({ command, version, payload, received: RECEIVED }).payload as PayloadOf<N>;
}

/** The message a payload is refused with. */
export function refusal(command: CommandName, version: number, payload: Json): string {
  try {
    readCommand({ command, version, payload, received: RECEIVED });
  } catch (error) {
    return String(error);
  }
  return "accepted";
}
