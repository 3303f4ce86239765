import { isNumber, isObject, type Json, type JsonObject, numberText } from "#storage/json.ts";
import { parseTimestamp, type Timestamp } from "#storage/time.ts";
import { UsageError } from "../errors.ts";
import { usedName } from "../names/used-name.ts";
import { counted } from "../output/counted.ts";
import { membersOf } from "../output/rows.ts";
import { readLimit } from "../sources/paging.ts";
import { betweenMoments } from "./between.ts";
import { flapping } from "./flapping.ts";
import { remarkOnCount } from "./groups.ts";
import type { ShortFormArguments } from "./options.ts";
import { equal, pqlText } from "./pql.ts";
import type { ShortForm } from "./run.ts";

/** What `census reports` takes. */
export interface ReportsArguments extends ShortFormArguments {
  readonly certname?: string | undefined;
  readonly status?: string | undefined;
  readonly environment?: string | undefined;
  readonly since?: string | undefined;
  readonly latest?: boolean | undefined;
  readonly flapping?: boolean | undefined;
  /** What comes first: the newest, or those of the longest runs. Default: the newest. */
  readonly sort?: "time" | "duration" | undefined;
}

/** The fields that a report is shown by. */
export const reportFields = ["certname", "status", "noop", "environment", "start_time", "end_time", "hash", "metrics"];

/** Reports, the newest first: status, changes, duration. */
export function reportsForm(args: ReportsArguments): ShortForm {
  const between = betweenMoments("end_time", args);
  const limit = readLimit(args.limit, 20);
  const conditions = [
    equal("certname", args.certname),
    equal("status", args.status),
    equal("environment", args.environment),
    args.latest === true ? "latest_report? = true" : undefined,
  ];
  const named = {
    names: [...usedName("certname", args.certname), ...usedName("environment", args.environment)],
    withFullName: (name: string) => reportsForm({ ...args, certname: name }),
  };
  if (args.flapping === true) {
    if (args.status !== undefined || args.latest === true) {
      throw new UsageError("reports: --flapping cannot be used with --status or --latest; it compares all runs");
    }
    const failed = 'certname in reports[certname] { status = "failed" }';
    return {
      name: "reports",
      ...named,
      query: (now) =>
        pqlText({
          entity: "reports",
          fields: ["certname", "status", "end_time"],
          conditions: [...conditions, failed, ...between(now)],
          order: ["order by certname, end_time"],
        }),
      fold: { rows: flapping, limit },
    };
  }
  const query = (now: Timestamp, most: number | undefined): string =>
    pqlText({
      entity: "reports",
      fields: reportFields,
      conditions: [...conditions, ...between(now)],
      order: ["order by end_time desc, certname"],
      limit: most,
    });
  if (args.sort === "duration") {
    return {
      name: "reports",
      ...named,
      query: (now) => query(now, undefined),
      fold: { rows: (rows) => longestFirst(rows.map(reportRow)), limit },
    };
  }
  return {
    name: "reports",
    ...named,
    leftOut: {
      query: (now) =>
        pqlText({
          entity: "reports",
          fields: ["count()"],
          conditions: ['type = "plan"', ...conditions, ...between(now)],
        }),
      remark: (rows) =>
        remarkOnCount(
          rows,
          (count) =>
            `${counted(count, "report")} of plans not shown; census query 'reports{ type = "plan" }' lists them`,
        ),
    },
    isLimited: limit !== undefined,
    query: (now) => query(now, limit),
    shape: reportRow,
  };
}

/** Those without a known duration come last; of equal ones the newest first. */
function longestFirst(rows: readonly JsonObject[]): JsonObject[] {
  return rows.toSorted((one, other) => Number(other["seconds"] ?? -1) - Number(one["seconds"] ?? -1));
}

/** The report as it is shown. */
export function reportRow(row: JsonObject): JsonObject {
  const { metrics = null, start_time: start = null, end_time: end = null } = row;
  const count = counts(metrics);
  return {
    ...membersOf(row, "certname", "status", "end_time"),
    seconds: seconds(start, end),
    changed: count("changed"),
    failed: count("failed"),
    skipped: count("skipped"),
    total: count("total"),
    ...membersOf(row, "noop", "environment", "hash"),
  };
}

function seconds(start: Json, end: Json): number | null {
  const [from, to] = [start, end].map((time) => (typeof time === "string" ? parseTimestamp(time) : undefined));
  return from === undefined || to === undefined ? null : Math.round(Number(to - from) / 100_000) / 10;
}

/** The report's own counts of resources, as whole numbers; null if it has none. */
function counts(metrics: Json): (name: string) => number | null {
  const data = isObject(metrics) && Array.isArray(metrics["data"]) ? metrics["data"] : [];
  const found = data.flatMap((metric): [string, number][] => {
    if (!isObject(metric) || metric["category"] !== "resources") return [];
    const { name, value } = metric;
    return typeof name === "string" && isNumber(value) ? [[name, Number(numberText(value))]] : [];
  });
  const byName = new Map(found);
  return (name) => byName.get(name) ?? null;
}
