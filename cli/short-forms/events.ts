import { CensusError } from "#storage/errors.ts";
import type { Json, JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import type { Timestamp } from "#storage/time.ts";
import { UsageError } from "../errors.ts";
import { type UsedName, usedName } from "../names/used-name.ts";
import { counted } from "../output/counted.ts";
import { membersOf } from "../output/rows.ts";
import { readLimit } from "../sources/paging.ts";
import { betweenMoments } from "./between.ts";
import { type EventGroup, groupEvents, groupFields } from "./event-groups.ts";
import type { ShortFormArguments } from "./options.ts";
import { equal, pqlText } from "./pql.ts";
import { readResourceName, resourceConditions } from "./resource-name.ts";
import type { LeftOut, ShortForm, WhyEmpty } from "./run.ts";

/** What `census events` takes. */
export interface EventsArguments extends ShortFormArguments {
  readonly of?: string | undefined;
  readonly status?: string | undefined;
  readonly resource?: string | undefined;
  readonly since?: string | undefined;
  readonly "group-by"?: EventGroup | undefined;
  /** Corrective changes only, of all reports. */
  readonly corrective?: boolean | undefined;
}

/** The scope of the events: a report by its hash, a node's latest report, or the failures in all latest reports. */
export function eventsForm(args: EventsArguments): ShortForm {
  const { of, status, corrective = false } = args;
  const between = betweenMoments("timestamp", args);
  const limit = readLimit(args.limit);
  const isReport = of !== undefined && /^[0-9a-f]{40}$/.test(of);
  // With a time of its own, the events of older reports count as well; the next run no longer has a corrective change.
  const isLatest = !isReport && args.since === undefined && !corrective;
  const isNarrowed = of !== undefined || args.resource !== undefined || args.since !== undefined || corrective;
  const resource = args.resource === undefined ? undefined : readResource(args.resource);
  const conditions = [
    of === undefined ? undefined : equal(isReport ? "report" : "certname", of),
    corrective ? "corrective_change = true" : undefined,
    isLatest ? "latest_report? = true" : undefined,
    equal("status", status ?? (isNarrowed ? undefined : "failure")),
    ...(resource === undefined ? [] : resourceConditions(resource, "resource_")),
  ];
  const filter = (now: Timestamp): readonly (string | undefined)[] => [...conditions, ...between(now)];
  const by = args["group-by"];
  const named = {
    names: [...usedName("report", of), ...(resource === undefined ? [] : [resource])],
    withFullName: (name: string) => eventsForm({ ...args, of: name }),
  };
  const explained = {
    ...named,
    ...(corrective ? { whyEmpty: checkStored } : {}),
    ...(isLatest && of !== undefined
      ? { whyEmpty: whyNoEvents(of, status !== undefined || resource !== undefined) }
      : {}),
    ...(isLatest && !isNarrowed && (status === undefined || status === "failure")
      ? { leftOut: failedWithoutEvent }
      : {}),
  };
  if (by !== undefined) return { ...groupForm(by, filter, limit), ...explained };
  return {
    name: "events",
    ...explained,
    // When something was changed says more than that the change was undone, as nearly all are.
    ...(corrective ? { secondary: ["status"] } : {}),
    isLimited: limit !== undefined,
    query: (now) =>
      pqlText({
        entity: "events",
        fields: eventFields(corrective),
        conditions: filter(now),
        order: [`order by timestamp${corrective ? " desc" : ""}, certname, resource_type, resource_title`],
        limit,
      }),
    shape: eventRow,
  };
}

/**
 * No changes is a good answer, but only of a source that would know of them.
 * @throws CensusError "not-found" when no report says whether its changes were corrective
 */
const checkStored: WhyEmpty = async (readRows) => {
  const known = await readRows("reports[hash] { corrective_change is not null limit 1 }");
  if (known.length > 0) return [];
  throw new CensusError(
    "not-found",
    "events: no report says whether its changes were corrective; a server stores this with the setting store-corrective-change, an archive may have it",
  );
};

/** Runs without a catalog fail and have no events. */
const failedWithoutEvent: LeftOut = {
  query: () =>
    pqlText({
      entity: "nodes",
      fields: ["certname"],
      conditions: [
        'latest_report_status = "failed"',
        '! certname in events[certname] { latest_report? = true and status = "failure" }',
      ],
      order: ["order by certname"],
    }),
  remark: (rows) => {
    if (rows.length === 0) return undefined;
    const shown = rows.slice(0, 3).map(({ certname }) => cellText(certname));
    const others = rows.length - shown.length;
    const names = `${shown.join(", ")}${others === 0 ? "" : ` and ${others} more`}`;
    return `${counted(rows.length, "node")} failed without a failed event; census node NAME says why: ${names}`;
  },
};

/** What is said of a node whose latest run has no such events. */
function whyNoEvents(certname: string, isFiltered: boolean): WhyEmpty {
  return async (readRows) => {
    const fields = ["certname", "latest_report_status", "report_timestamp"];
    const conditions = [equal("certname", certname), 'node_state = "any"'];
    const [node] = await readRows(pqlText({ entity: "nodes", fields, conditions }));
    if (node === undefined) return [];
    const { latest_report_status: state, report_timestamp: time } = node;
    if (typeof state !== "string") return [`${cellText(node["certname"])} has never reported`];
    const run = `the latest run of ${cellText(node["certname"])} (${state}, ${cellText(time)})`;
    return [`${run} has no ${isFiltered ? "such " : ""}events; --since 7d shows those of earlier runs`];
  };
}

function groupForm(
  by: EventGroup,
  filter: (now: Timestamp) => readonly (string | undefined)[],
  limit: number | undefined,
): ShortForm {
  const fields = groupFields(by);
  return {
    name: "events",
    query: (now) =>
      pqlText({
        entity: "events",
        fields: [...fields, "count()"],
        conditions: filter(now),
        order: [`group by ${fields.join(", ")}`],
      }),
    fold: { rows: (rows) => groupEvents(by, rows), limit },
  };
}

/** @throws UsageError when it is neither a type nor a resource */
export function readResource(text: string, option = "--resource"): Extract<UsedName, { kind: "resource" }> {
  const name = readResourceName(text);
  if (name !== undefined) return { kind: "resource", ...name };
  throw new UsageError(`${option} must be Type or Type[title], e.g. Service[ntp], not ${JSON.stringify(text)}`);
}

/** Where a resource is declared: `site.pp:12`. */
export function declaredAt(file: Json | undefined, line: Json | undefined): string | null {
  return typeof file === "string" ? `${file}${typeof line === "number" ? `:${line}` : ""}` : null;
}

/** The fields that an event is shown by; with its values also those before and after it. */
export function eventFields(hasValues: boolean): readonly string[] {
  const resource = ["certname", "timestamp", "status", "resource_type", "resource_title", "property"];
  return [...resource, ...(hasValues ? ["old_value", "new_value"] : []), "message", "file", "line", "report"];
}

/** The event as it is shown. */
export function eventRow(row: JsonObject): JsonObject {
  const { resource_type: type, resource_title: title, file, line } = row;
  const values = ["old_value", "new_value"].filter((name) => row[name] !== undefined);
  return {
    ...membersOf(row, "certname", "timestamp", "status"),
    resource: `${cellText(type)}[${cellText(title)}]`,
    ...membersOf(row, "property", ...values, "message"),
    declared: declaredAt(file, line),
    ...membersOf(row, "report"),
  };
}
