import type { Transaction } from "../engine/transaction.ts";
import type { Timestamp } from "../time.ts";
import { deleteRows, type Work } from "./work.ts";

/*
 * Reports and events go a UTC day at a time, the oldest first, one of each in a run; a node's latest report and its events
 * never do (`reference/lifecycle.md §4`).
 */

/** A table that is dropped by days. */
interface ByDay {
  readonly what: "reports" | "events";
  /** the column whose day counts */
  readonly time: string;
  /** the column that names the report */
  readonly report: string;
}

const reports: ByDay = { what: "reports", time: "producer_timestamp", report: "id" };
const events: ByDay = { what: "events", time: "timestamp", report: "report_id" };

/** Drops the oldest day of reports that is due; and of events, when those are asked for too. */
export async function purgeReports(work: Work): Promise<number> {
  const { now, retention, request, signal } = work;
  const horizon = now - retention.reportTtl;
  const dropped = await dropDay(work, reports, horizon);
  const { resourceEventsTtl } = retention;
  if (resourceEventsTtl === null || !request.operations.has("purge_resource_events")) return dropped;
  signal.throwIfAborted();
  const eventHorizon = now - resourceEventsTtl;
  return dropped + (await dropDay(work, events, eventHorizon > horizon ? eventHorizon : horizon));
}

/** Drops the oldest day of events that is due. */
export async function purgeEvents(work: Work): Promise<number> {
  const { resourceEventsTtl } = work.retention;
  return resourceEventsTtl === null ? 0 : dropDay(work, events, work.now - resourceEventsTtl);
}

/** @returns how many rows went */
async function dropDay({ inTransaction, tell }: Work, table: ByDay, horizon: Timestamp): Promise<number> {
  return inTransaction(async (tx) => {
    const due = await daysBefore(tx, table, horizon);
    const [oldest] = due;
    if (oldest === undefined) return 0;
    const isOfDay = `${table.time} >= $1 AND ${table.time} < $1 + INTERVAL 1 DAY`;
    const ofDay = `${isOfDay} AND ${isSuperseded(table)}`;
    const day = [{ micros: oldest }];
    if (table === reports) {
      // Their spacers as well.
      for (const id of ["id", "-id"]) {
        await tx.execute(`DELETE FROM events WHERE report_id IN (SELECT ${id} FROM reports WHERE ${ofDay})`, day);
      }
    }
    const dropped = await deleteRows(tx, `DELETE FROM ${table.what} WHERE ${ofDay}`, day);
    await tx.execute(`DELETE FROM ${table.what} WHERE ${isOfDay} AND ${isSuperseded(table, "-")}`, day);
    if (due.length - 1 > 2) tell({ kind: "behind", what: table.what, days: due.length - 1 });
    return dropped;
  });
}

/** The days wholly before the day that `horizon` falls in which have something to drop, oldest first. */
async function daysBefore(tx: Transaction, table: ByDay, horizon: Timestamp): Promise<Timestamp[]> {
  const rows = await tx.rows<{ day: Timestamp }>(
    `SELECT DISTINCT epoch_us(date_trunc('day', ${table.time})) AS day FROM ${table.what}
      WHERE ${table.time} < date_trunc('day', $1) AND ${isSuperseded(table)} ORDER BY day`,
    [{ micros: horizon }],
  );
  return rows.map(({ day }) => day);
}

/**
 * Whether a row is of a report that is not its node's latest.
 * @param sign minus for spacers, whose ids are those of their rows with a minus (`storage/ingest/write/spaced-rows.ts`)
 */
function isSuperseded({ what, report }: ByDay, sign: "" | "-" = ""): string {
  const id = `${sign}${what}.${report}`;
  return `${id} > 0 AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.report_id = ${id})`;
}
