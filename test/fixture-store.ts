import type { Submission } from "#storage/ingest/submission.ts";
import type { Outcome } from "#storage/ingest/outcome.ts";
import { type Json, type JsonObject, parseJson, stringifyJson } from "#storage/json.ts";
import type { EntityTarget, QuerySpec } from "#storage/query/query.ts";
import { QueryError } from "#storage/query/errors.ts";
import type { QueryRunOptions } from "#storage/query/run.ts";
import { Store } from "#storage/store.ts";
import { type StoreOptions } from "#storage/store-options.ts";
import { fixedClock, parseTimestamp, type Timestamp } from "#storage/time.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import * as payloads from "#test/storage/wire/payloads.ts";

/** The present time of tests. With the default retention of 14 days, data expire that are older than 2026-11-07. */
export const NOW = time("2026-11-21T00:00:00Z");

/** @throws Error for an invalid time */
export function time(text: string): Timestamp {
  const found = parseTimestamp(text);
  if (found === undefined) throw new Error(`no time: ${text}`);
  return found;
}

/** The newest version of each command. */
const versions: Readonly<Record<CommandName, number>> = {
  "replace catalog": 9,
  "replace facts": 5,
  "store report": 8,
  "deactivate node": 3,
  "replace catalog inputs": 1,
  "configure expiration": 1,
};

/** A submission whose payload is a text. */
export type TextSubmission = Submission & { readonly payload: string };

/** A command of the newest version, received now. */
export function command(name: CommandName, payload: JsonObject, received: Timestamp = NOW): TextSubmission {
  const { certname } = payload;
  return {
    command: name,
    version: versions[name],
    certname: typeof certname === "string" ? certname : "",
    payload: stringifyJson(payload),
    received,
  };
}

/** Commands of small payloads; `changes` are the keys that matter to a test. Times are of 2026-11-20 by default. */
export const a = {
  facts: (certname: string, changes: JsonObject = {}, received?: Timestamp): TextSubmission =>
    command("replace facts", payloads.facts({ certname, ...changes }), received),
  catalog: (certname: string, changes: JsonObject = {}, received?: Timestamp): TextSubmission =>
    command("replace catalog", payloads.catalog({ certname, ...changes }), received),
  report: (certname: string, changes: JsonObject = {}, received?: Timestamp): TextSubmission =>
    command("store report", payloads.report({ certname, ...changes }), received),
  inputs: (certname: string, changes: JsonObject = {}, received?: Timestamp): TextSubmission =>
    command("replace catalog inputs", payloads.inputs({ certname, ...changes }), received),
  deactivation: (certname: string, at: string): TextSubmission =>
    command("deactivate node", { certname, producer_timestamp: at }),
  expiration: (certname: string, facts: boolean, at: string): TextSubmission =>
    command("configure expiration", { certname, expire: { facts }, producer_timestamp: at }),
};

/** An empty store in memory whose clock always says {@link NOW}. */
export async function emptyStore(options: StoreOptions = {}): Promise<Store> {
  return Store.open({ clock: fixedClock(NOW), ...options });
}

/** A store in memory with {@link population}. */
export async function populatedStore(): Promise<Store> {
  const store = await emptyStore();
  for (const submission of population) await store.submit(submission);
  return store;
}

const edge = (relationship: string, source: [string, string], target: [string, string]): JsonObject => ({
  source: { type: source[0], title: source[1] },
  target: { type: target[0], title: target[1] },
  relationship,
});

const ntp: JsonObject = {
  type: "Package",
  title: "ntp",
  exported: false,
  tags: ["package", "ntp", "time"],
  file: "/site.pp",
  line: 10,
  parameters: { ensure: "latest" },
};

const config: JsonObject = {
  type: "File",
  title: "/etc/ntp.conf",
  exported: false,
  tags: ["file", "ntp"],
  file: "/site.pp",
  line: 20,
  parameters: parseJson(
    `{"ensure":"file","mode":"0644","size":80,"ratio":1.0,"backup":false,"notify":null,"owners":["root","ntp"],
      "acl":{"b":2,"a":{"deep":true}},"big":9007199254740993}`,
  ),
};

const main: JsonObject = { type: "Class", title: "Main", exported: false, tags: ["class", "main"], parameters: {} };

const banner: JsonObject = {
  type: "Notify",
  title: 'It\'s "here"',
  exported: true,
  tags: ["notify"],
  parameters: { message: "50% off; DROP TABLE nodes; --" },
};

const day = "2026-11-20";

const success = payloads.event({ timestamp: `${day}T10:00:30.5Z`, new_value: "file", old_value: "absent" });

/**
 * Six nodes, each of its own kind.
 *
 * | node | facts | catalog | reports | else |
 * | --- | --- | --- | --- | --- |
 * | alpha | every type | 4 resources, every relationship | unchanged, then changed | inputs, packages |
 * | beta | other types of the same names | shares 2 resources | failed | expires_facts false, staging |
 * | gamma | few | | unchanged, noop | |
 * | delta | few | shares 1 resource | changed | deactivated a day ago: inactive |
 * | epsilon | | | a plan's | |
 * | zeta | | | | deactivated long enough ago to be purged |
 */
export const population: readonly Submission[] = [
  a.facts("alpha", {
    producer_timestamp: `${day}T10:00:00.123456Z`,
    package_inventory: [
      ["ntp", "4.2", "apt"],
      ["vim", "9.0", "apt"],
    ],
    values: parseJson(`{
      "kernel": "Linux", "count": 5, "float": 5.0, "half": 2.5, "large": 9007199254740993,
      "huge": 123456789012345678901234567890, "yes": true, "nothing": null,
      "uptime": 10, "mixed": 7,
      "os": {"family": "Debian", "release": {"major": "12", "minor": 7}},
      "list": ["x", "y", {"k": 1}],
      "nics": [{"name": "eth0", "mtu": 1500}, {"name": "eth1", "mtu": 9000}],
      "slots": {"0": "first", "12": "dozen"},
      "empty_map": {}, "empty_list": [],
      "dotted.key": "literal", "quote\\"d": "q",
      "trusted": {"certname": "alpha", "extensions": {"role": "web"}}
    }`),
  }),
  a.catalog("alpha", {
    producer_timestamp: `${day}T10:00:10Z`,
    version: "v1",
    transaction_uuid: "11111111-1111-4111-8111-111111111111",
    code_id: "c0de",
    job_id: "7",
    resources: [main, ntp, config, banner],
    edges: [
      edge("contains", ["Class", "Main"], ["Package", "ntp"]),
      edge("required-by", ["Package", "ntp"], ["File", "/etc/ntp.conf"]),
      edge("notifies", ["File", "/etc/ntp.conf"], ["Notify", 'It\'s "here"']),
      edge("before", ["Package", "ntp"], ["Notify", 'It\'s "here"']),
      edge("subscription-of", ["Class", "Main"], ["File", "/etc/ntp.conf"]),
    ],
  }),
  a.inputs("alpha", {
    producer_timestamp: `${day}T10:00:11Z`,
    inputs: [
      ["hiera", "ntp::servers"],
      ["function", "lookup"],
    ],
  }),
  a.report("alpha", {
    producer_timestamp: `${day}T09:00:00Z`,
    start_time: `${day}T08:59:00Z`,
    end_time: `${day}T08:59:30Z`,
    status: "unchanged",
    resources: [],
    logs: [],
  }),
  a.report("alpha", {
    producer_timestamp: `${day}T10:01:00Z`,
    start_time: `${day}T10:00:20Z`,
    end_time: `${day}T10:00:50.987Z`,
    status: "changed",
    job_id: "7",
    resources: [
      payloads.reportResource({
        resource_type: "File",
        resource_title: "/etc/ntp.conf",
        events: [
          success,
          payloads.event({
            timestamp: `${day}T10:00:31Z`,
            property: "mode",
            name: "mode-name",
            new_value: { b: 1, a: [true, null] },
            old_value: 80,
            status: "noop",
          }),
        ],
      }),
      payloads.reportResource({
        resource_type: "Package",
        resource_title: "ntp",
        skipped: true,
        timestamp: `${day}T10:00:32Z`,
        file: null,
        line: null,
        containment_path: null,
        events: [],
      }),
    ],
  }),

  a.facts("beta", {
    producer_timestamp: `${day}T11:00:00Z`,
    environment: "staging",
    producer: "puppet2",
    package_inventory: [["ntp", "4.3", "apt"]],
    values: parseJson(`{
      "kernel": "Darwin", "count": "5", "float": 5, "half": 2.50, "large": 9007199254740992,
      "uptime": "10", "mixed": "7", "yes": false,
      "os": {"family": "RedHat", "release": {"major": 9}}, "list": ["y", "x"],
      "nics": [{"name": "eth0", "mtu": 9000}], "nothing": "something",
      "trusted": {"certname": "beta", "extensions": {}}
    }`),
  }),
  a.catalog("beta", {
    producer_timestamp: `${day}T11:00:10Z`,
    environment: "staging",
    producer: "puppet2",
    version: "v2",
    resources: [main, ntp],
    edges: [edge("contains", ["Class", "Main"], ["Package", "ntp"])],
  }),
  a.report("beta", {
    producer_timestamp: `${day}T11:01:00Z`,
    start_time: `${day}T11:00:20Z`,
    end_time: `${day}T11:00:40Z`,
    environment: "staging",
    producer: "puppet2",
    status: "failed",
    resources: [
      payloads.reportResource({
        resource_type: "Package",
        resource_title: "ntp",
        containment_path: ["Stage[main]", "Ntp", "Package[ntp]"],
        events: [payloads.event({ timestamp: `${day}T11:00:30Z`, status: "failure", message: "no such package" })],
      }),
    ],
  }),
  a.expiration("beta", false, `${day}T11:00:00Z`),

  a.facts("gamma", {
    producer_timestamp: `${day}T12:00:00Z`,
    values: parseJson(`{"kernel": "Linux", "mixed": true, "uptime": 4.5, "os": "plain", "half": -2.5}`),
  }),
  a.report("gamma", {
    producer_timestamp: `${day}T12:01:00Z`,
    start_time: `${day}T12:00:20Z`,
    end_time: `${day}T12:00:40Z`,
    status: "unchanged",
    noop: true,
    noop_pending: true,
    cached_catalog_status: "on_failure",
    resources: [],
    logs: null,
    metrics: null,
  }),

  a.facts("delta", {
    producer_timestamp: "2026-11-19T10:00:00Z",
    values: parseJson(`{"kernel": "Linux", "uptime": 1, "os": {"family": "Debian", "release": {"major": "11"}}}`),
  }),
  a.catalog("delta", { producer_timestamp: "2026-11-19T10:00:10Z", version: "v4", resources: [ntp], edges: [] }),
  a.report("delta", {
    producer_timestamp: "2026-11-19T10:01:00Z",
    start_time: "2026-11-19T10:00:20Z",
    end_time: "2026-11-19T10:00:40Z",
    resources: [
      payloads.reportResource({
        resource_type: "Package",
        resource_title: "ntp",
        events: [payloads.event({ timestamp: "2026-11-19T10:00:30Z" })],
      }),
    ],
  }),
  a.deactivation("delta", "2026-11-19T20:00:00Z"),

  a.report("epsilon", {
    producer_timestamp: `${day}T13:01:00Z`,
    start_time: `${day}T13:00:20Z`,
    end_time: `${day}T13:00:40Z`,
    type: "plan",
    resources: [
      payloads.reportResource({
        resource_type: "Exec",
        resource_title: "plan step",
        containment_path: [],
        events: [payloads.event({ timestamp: `${day}T13:00:30Z`, property: null, message: null })],
      }),
    ],
  }),

  a.deactivation("zeta", "2026-10-01T00:00:00Z"),
];

const byLetter: Readonly<Record<string, string>> = {
  a: "alpha",
  b: "beta",
  c: "gamma",
  d: "delta",
  e: "epsilon",
  z: "zeta",
};

/** Names of the population's nodes by their letters (c is gamma), sorted: `da` → alpha, delta. */
export function certnames(letters: string): string[] {
  return Array.from(letters, (letter) => byLetter[letter] ?? letter).sort();
}

/** Submits commands one after another. */
export async function submitted(store: Store, ...submissions: readonly Submission[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const submission of submissions) outcomes.push(await store.submit(submission));
  return outcomes;
}

/** The rows of a query, parsed with exact numbers. */
export async function queryRows(store: Store, spec: QuerySpec, options: QueryRunOptions = {}): Promise<Json[]> {
  return (await queryWithTotal(store, spec, options)).rows;
}

export async function queryWithTotal(
  store: Store,
  spec: QuerySpec,
  options: QueryRunOptions = {},
): Promise<{ rows: Json[]; total: bigint | null }> {
  const { rows, total } = await store.queries.run(store.queries.plan(spec), options);
  const parsed: Json[] = [];
  for await (const batch of rows) parsed.push(...batch.texts().map(parseJson));
  return { rows: parsed, total };
}

/** Rows of an entity, of inactive nodes as well. */
export async function rowsOf(store: Store, entity: string, query?: Json): Promise<JsonObject[]> {
  return (await queryRows(store, { of: everyRow(entity), ...(query === undefined ? {} : { query }) })) as JsonObject[];
}

export function everyRow(entity: string): EntityTarget {
  return { entity, activeOnly: false };
}

/** One field of the rows that a filter selects, sorted. */
export async function fieldOf(store: Store, entity: string, field: string, filter?: Json): Promise<string[]> {
  const rows = await rowsOf(store, entity, filter);
  return rows.map((row) => (typeof row[field] === "string" ? row[field] : stringifyJson(row[field] ?? null))).sort();
}

/** The row of `nodes` of that name. */
export async function nodeRow(store: Store, certname: string): Promise<JsonObject | undefined> {
  const options = { includeFactsExpiration: true };
  const query = ["=", "certname", certname];
  const [row] = await queryRows(store, { of: everyRow("nodes"), query, options });
  return row as JsonObject | undefined;
}

/** The error message of a query, from planning or from running it. */
export async function refusalOf(store: Store, spec: QuerySpec): Promise<string> {
  try {
    await queryRows(store, spec);
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
  return "no refusal";
}
