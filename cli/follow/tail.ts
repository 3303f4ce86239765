import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { outcomeColumns, outcomeOf, type OutcomeRow } from "#storage/states/node-state.ts";
import { stateLabels } from "#storage/states/words.ts";
import { hasColours } from "../colours.ts";
import { UsageError } from "../errors.ts";
import { fullCertname } from "../names/full-certname.ts";
import { eventFields, eventRow } from "../short-forms/events.ts";
import { momentAt, readMoment } from "../moment.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { pqlText } from "../short-forms/pql.ts";
import { reportFields, reportRow } from "../short-forms/reports.ts";
import { chooseSource } from "../sources/choice.ts";
import type { SourceArguments } from "../sources/options.ts";
import { type ReadRows, rowReader } from "../sources/read-rows.ts";
import { withSource } from "../sources/source.ts";
import { stdout } from "../stdout.ts";
import { type FollowFormat, isForPeople } from "./output-option.ts";
import { pause, readInterval } from "./pause.ts";
import { Persistent } from "./persistent.ts";
import { ReportCursor } from "./report-cursor.ts";
import { tailConditions, type TailConditions, type TailFilter } from "./tail-filter.ts";
import { TailText } from "./tail-text.ts";
import { untilStopped } from "./until-stopped.ts";

/** What `census tail` takes. */
export interface TailArguments extends SourceArguments, TailFilter {
  readonly limit?: string | undefined;
  readonly since?: string | undefined;
  readonly every?: string | undefined;
  readonly show?: TailKind | undefined;
  readonly output?: FollowFormat | undefined;
}

type TailKind = "reports" | "events";

/** Reports and their events, as they are shown. */
interface Arrivals {
  readonly reports: readonly JsonObject[];
  readonly eventsOf: ReadonlyMap<string, readonly JsonObject[]>;
}

/** Prints the last reports and their events, and those of a server as they arrive. */
export async function runTail(args: TailArguments): Promise<void> {
  const choice = chooseSource("tail", args);
  const every = readInterval("--every", args.every ?? "2s");
  const since = args.since === undefined ? undefined : readMoment("--since", args.since);
  if (since !== undefined && args.limit !== undefined)
    throw new UsageError("tail: --since and --limit cannot be used together");
  const last = readFirst(args.limit);
  tailConditions(args);
  await withSource(choice, ["reports"], (source) =>
    untilStopped(async (stop) => {
      const isLive = source.kind === "url";
      const persistent = new Persistent(source.name, stop);
      const readRows: ReadRows = (query) => {
        return isLive ? persistent.run((signal) => rowReader(source, signal)(query)) : rowReader(source, stop)(query);
      };
      const certname = await fullName(args.certname, readRows);
      const conditions = tailConditions({ ...args, certname });
      const now = await source.now();
      const read = (hashes: readonly string[]): Promise<Arrivals> =>
        readArrivals(readRows, conditions, hashes, args.show);
      const cursor = new ReportCursor(readRows, conditions.reports, now, read);
      const write = arrivalsWriter(args);
      if (since === undefined) for (const arrivals of await cursor.skipTo(last)) await write(arrivals);
      else cursor.beginAt(momentAt(since, now));
      // What does not change is looked at once.
      if (!isLive && since === undefined) return;
      const look = async (): Promise<void> => {
        for await (const arrivals of cursor.look()) await write(arrivals);
      };
      await look();
      if (!isLive) return;
      while (!stop.aborted) {
        await pause(every, stop);
        await look();
      }
    }),
  );
}

function readFirst(text = "10"): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`--limit must be a number, not ${JSON.stringify(text)}`);
}

/** A name with `*` is a pattern. */
async function fullName(name: string | undefined, readRows: ReadRows): Promise<string | undefined> {
  return name === undefined || name.includes("*") ? name : fullCertname("tail: ", name, [readRows]);
}

async function readArrivals(
  readRows: ReadRows,
  { events: conditions }: TailConditions,
  hashes: readonly string[],
  show: TailKind | undefined,
): Promise<Arrivals> {
  const list = `[${hashes.map(pqlString).join(", ")}]`;
  const reports = await readRows(
    pqlText({
      entity: "reports",
      fields: [...new Set([...reportFields, "receive_time", ...outcomeColumns])],
      conditions: [`hash in ${list}`],
      order: ["order by receive_time, end_time, hash"],
    }),
  );
  if (show === "reports") return { reports: reports.map(shownReport), eventsOf: new Map() };
  const events = await readRows(
    pqlText({
      entity: "events",
      fields: [...eventFields(true), "containing_class"],
      conditions: [`report in ${list}`, ...conditions],
      order: ["order by timestamp, resource_type, resource_title, property"],
    }),
  );
  const eventsOf = Map.groupBy(events, ({ report }) => cellText(report));
  return { reports: reports.map(shownReport), eventsOf };
}

function shownReport(row: JsonObject): JsonObject {
  const state = stateLabels[outcomeOf(row as unknown as OutcomeRow)];
  return { ...reportRow(row), state, receive_time: row["receive_time"] ?? null };
}

function shownEvent({ containing_class: containing, ...row }: JsonObject): JsonObject {
  return { ...eventRow(row), class: containing ?? null };
}

function ndjson(kind: string, row: JsonObject): string {
  return `${stringifyJson({ kind, ...row })}\n`;
}

type WriteArrivals = (arrivals: Arrivals) => Promise<void>;

function arrivalsWriter({ output, show }: TailArguments): WriteArrivals {
  const isText = isForPeople(output);
  const text = new TailText(hasColours(process.stdout));
  const reportLine = (row: JsonObject): string => (isText ? text.report(row) : ndjson("report", row));
  const eventLine = (row: JsonObject): string => (isText ? text.event(row) : ndjson("event", row));
  return async ({ reports, eventsOf }) => {
    const lines = reports.flatMap((report) => {
      const events = (eventsOf.get(cellText(report["hash"])) ?? []).map(shownEvent);
      // Without its report an event needs the name of the node, which the line of the report has.
      const withNode = isText && show === "events" && events.length > 0;
      return [...(show !== "events" || withNode ? [reportLine(report)] : []), ...events.map(eventLine)];
    });
    if (lines.length > 0) await stdout.write(lines.join(""));
  };
}
