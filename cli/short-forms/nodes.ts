import { UsageError } from "../errors.ts";
import type { Json, JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { SILENT_AFTER_MS, type SilentAfter, silenceAt, stateCondition, stateKeys } from "#storage/states/node-state.ts";
import type { Timestamp } from "#storage/time.ts";
import { nearestNames } from "../names/nearest.ts";
import { usedName } from "../names/used-name.ts";
import type { OpenSource } from "../sources/open-source.ts";
import { readLimit } from "../sources/paging.ts";
import { momentText, readMoment } from "../moment.ts";
import type { ShortFormArguments } from "./options.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { equal, factField, matching, pqlText, pqlValue } from "./pql.ts";
import { typeName } from "#storage/display/type-name.ts";
import type { ShortForm, WhyEmpty } from "./run.ts";

/** What `census nodes` takes. */
export interface NodesArguments extends ShortFormArguments {
  readonly certname?: string | undefined;
  readonly status?: string | undefined;
  readonly environment?: string | undefined;
  readonly silent?: string | undefined;
  readonly fact?: string | undefined;
  readonly class?: string | undefined;
  readonly state?: string | undefined;
  readonly count?: boolean | undefined;
}

/** What is to be looked at comes first. */
const statuses: readonly Json[] = ["failed", "changed", "unchanged", null];

/** Values of `--state` about the activity of nodes; the others are states of active nodes. */
export const activities = ["active", "inactive", "any"] as const;

/**
 * Nodes, and how they are.
 */
export function nodesForm(args: NodesArguments, silentAfter: SilentAfter = SILENT_AFTER_MS): ShortForm {
  const { certname, status, environment, fact } = args;
  const state = stateKeys.find((key) => key === args.state);
  const activity = state === undefined ? args.state : undefined;
  const silent = args.silent === undefined ? undefined : readMoment("--silent", args.silent);
  const limit = readLimit(args.limit);
  const conditions = [
    matching("certname", certname),
    status === "none" ? "latest_report_status is null" : equal("latest_report_status", status),
    environment === undefined ? undefined : environmentCondition(environment),
    fact === undefined ? undefined : factCondition(fact),
    args.class === undefined
      ? undefined
      : `resources { type = "Class" and title = ${pqlString(typeName(args.class))} }`,
    activity === undefined || activity === "active" ? undefined : equal("node_state", activity),
  ];
  const where = (now: Timestamp): readonly (string | undefined)[] => [
    ...conditions,
    silent === undefined ? undefined : silence(momentText(silent, now)),
    state === undefined ? undefined : stateCondition(state, silenceAt(Number(now / 1000n), silentAfter)),
  ];
  const named = {
    names: [
      ...usedName(certname?.includes("*") === true ? "certnames" : "certname", certname),
      ...usedName("environment", environment),
      ...usedName("fact", fact?.replace(/=.*/s, "")),
      ...usedName("class", args.class),
    ],
    withFullName: (name: string) => nodesForm({ ...args, certname: name }, silentAfter),
    ...(state === undefined
      ? {}
      : { complete: async (source: OpenSource) => nodesForm(args, await source.silentAfter()) }),
    ...(fact === undefined ? {} : { whyEmpty: whyNoValue(fact) }),
  };
  if (args.count === true) {
    const fields = ["latest_report_status", "count()"];
    const order = ["group by latest_report_status"];
    return {
      name: "nodes",
      ...named,
      query: (now) => pqlText({ entity: "nodes", fields, conditions: where(now), order }),
      fold: { rows: byStatus, limit },
    };
  }
  return {
    name: "nodes",
    ...named,
    isLimited: limit !== undefined,
    query: (now) =>
      pqlText({
        entity: "nodes",
        fields: [
          "certname",
          "latest_report_status",
          "report_timestamp",
          "report_environment",
          ...(activity === undefined || activity === "active" ? [] : ["deactivated", "expired"]),
        ],
        conditions: where(now),
        // Of silent nodes, those come first that have been silent for longest.
        order: [
          silent === undefined && state !== "silent" ? "order by certname" : "order by report_timestamp, certname",
        ],
        limit,
      }),
  };
}

function byStatus(rows: readonly JsonObject[]): JsonObject[] {
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function placeOf({ latest_report_status: status = null }: JsonObject): number {
  return statuses.indexOf(status);
}

function silence(since: string): string {
  return `(report_timestamp < ${pqlString(since)} or report_timestamp is null)`;
}

/** The environment of whatever is known of a node. */
function environmentCondition(name: string): string {
  const fields = ["report_environment", "catalog_environment", "facts_environment"];
  return `(${fields.map((field) => `${field} = ${pqlString(name)}`).join(" or ")})`;
}

function factCondition(text: string): string {
  const { path, value } = factOf(text);
  return `inventory { ${factField(path)} = ${pqlValue(value)} }`;
}

/** @throws UsageError unless it is a name and a value */
function factOf(text: string): { readonly path: string; readonly value: string } {
  const { path, value } = /^(?<path>[^=]+)=(?<value>.*)$/s.exec(text)?.groups ?? {};
  if (path !== undefined && value !== undefined) return { path, value };
  throw new UsageError(`--fact must be NAME=VALUE, e.g. os.family=Debian, not ${JSON.stringify(text)}`);
}

/** A value that no node has may be misspelt. */
function whyNoValue(text: string): WhyEmpty {
  const { path, value } = factOf(text);
  return async (readRows) => {
    const field = factField(path);
    const order = [`group by ${field}`];
    const conditions = [`${field} is not null`];
    const rows = await readRows(pqlText({ entity: "inventory", fields: [field, "count()"], conditions, order }));
    // The field is named as the query writes it, or without the quotes of its parts.
    const values = rows.flatMap((row) =>
      Object.entries(row).flatMap(([name, one]) => (name === "count" ? [] : [cellText(one)])),
    );
    if (values.includes(value)) return [];
    const near = nearestNames(value, values);
    const hint =
      near.length > 0 ? `did you mean ${near.join(" or ")}?` : `census facts --name ${path} --count lists all`;
    return [`no node has ${JSON.stringify(value)} as ${path}; ${hint}`];
  };
}
