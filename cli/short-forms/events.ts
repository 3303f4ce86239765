import type { Json, JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { UsageError } from "../errors.ts";
import { readLimit } from "../sources/paging.ts";
import { momentText, readMoment } from "./moment.ts";
import type { ShortFormArguments } from "./options.ts";
import { equal, pqlString, pqlText } from "./pql.ts";
import type { ShortForm } from "./run.ts";

/** What `census events` takes. */
export interface EventsArguments extends ShortFormArguments {
  readonly of?: string | undefined;
  readonly status?: string | undefined;
  readonly resource?: string | undefined;
  readonly since?: string | undefined;
}

/** What the events are about: a report by its hash, a node's latest report, or what fails in all latest reports. */
export function eventsForm(args: EventsArguments): ShortForm {
  const { of, status } = args;
  const since = args.since === undefined ? undefined : readMoment("--since", args.since);
  const limit = readLimit(args.limit);
  const isReport = of !== undefined && /^[0-9a-f]{40}$/.test(of);
  // With a time of its own, the events of older reports count as well.
  const isLatest = !isReport && since === undefined;
  const isNarrowed = of !== undefined || args.resource !== undefined || since !== undefined;
  const conditions = [
    of === undefined ? undefined : equal(isReport ? "report" : "certname", of),
    isLatest ? "latest_report? = true" : undefined,
    equal("status", status ?? (isNarrowed ? undefined : "failure")),
    ...(args.resource === undefined ? [] : resourceConditions(args.resource)),
  ];
  return {
    name: "events",
    isLimited: limit !== undefined,
    query: (now) =>
      pqlText({
        entity: "events",
        fields: [
          "certname",
          "timestamp",
          "status",
          "resource_type",
          "resource_title",
          "property",
          "message",
          "file",
          "line",
          "report",
        ],
        conditions: [
          ...conditions,
          since === undefined ? undefined : `timestamp >= ${pqlString(momentText(since, now))}`,
        ],
        order: ["order by timestamp, certname, resource_type, resource_title"],
        limit,
      }),
    shape: shown,
  };
}

function resourceConditions(text: string): string[] {
  const { type, title } = /^(?<type>[A-Z][\w:]*)(?:\[(?<title>.*)\])?$/s.exec(text)?.groups ?? {};
  if (type === undefined) {
    throw new UsageError(`--resource must be Type or Type[title], e.g. Service[ntp], not ${JSON.stringify(text)}`);
  }
  const ofType = `resource_type = ${pqlString(type)}`;
  return title === undefined ? [ofType] : [ofType, `resource_title = ${pqlString(title)}`];
}

function shown({ resource_type: type, resource_title: title, file, line, report, ...rest }: JsonObject): JsonObject {
  const { certname, timestamp, status, property, message }: Readonly<Record<string, Json | undefined>> = rest;
  return {
    certname: certname ?? null,
    timestamp: timestamp ?? null,
    status: status ?? null,
    resource: `${cellText(type)}[${cellText(title)}]`,
    property: property ?? null,
    message: message ?? null,
    declared: typeof file === "string" ? `${file}${typeof line === "number" ? `:${line}` : ""}` : null,
    report: report ?? null,
  };
}
