import type { Transaction } from "../engine/transaction.ts";
import type { Timestamp } from "../time.ts";
import { deleteRows, type Work } from "./work.ts";

/*
 * Reports and events are dropped by UTC day, the oldest first, one day of each in a run. A node's latest report and its
 * events are never dropped (`reference/lifecycle.md §4`).
 */

/** A table whose rows are dropped by day. */
interface ByDay {
  readonly what: "reports" | "events";
  /** the column with the time */
  readonly time: string;
  /** the column with the report's id */
  readonly report: string;
}

const reports: ByDay = { what: "reports", time: "producer_timestamp", report: "id" };
const events: ByDay = { what: "events", time: "timestamp", report: "report_id" };

/** Drops the oldest due day of reports; and of events, when those are requested too. */
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

/** Drops the oldest due day of events. */
export async function purgeEvents(work: Work): Promise<number> {
  const { resourceEventsTtl } = work.retention;
  return resourceEventsTtl === null ? 0 : dropDay(work, events, work.now - resourceEventsTtl);
}

/** @returns the number of dropped rows */
async function dropDay({ inTransaction, report }: Work, table: ByDay, horizon: Timestamp): Promise<number> {
  return inTransaction(async (tx) => {
    const due = await daysBefore(tx, table, horizon);
    const [oldest] = due;
    if (oldest === undefined) return 0;
    const isOfDay = `${table.time} >= $1 AND ${table.time} < $1 + INTERVAL 1 DAY`;
    const ofDay = `${isOfDay} AND ${isSuperseded(table)}`;
    const day = [{ micros: oldest }];
    if (table === reports) {
      await tx.execute(
        "failures",
        `DELETE FROM failures WHERE report_id IN (SELECT id FROM reports WHERE ${ofDay})`,
        day,
      );
      await tx.execute("issues", "DELETE FROM issues WHERE id NOT IN (SELECT issue_id FROM failures)");
      // Their spacers too.
      for (const id of ["id", "-id"]) {
        await tx.execute(
          "events",
          `DELETE FROM events WHERE report_id IN (SELECT ${id} FROM reports WHERE ${ofDay})`,
          day,
        );
      }
    }
    const dropped = await deleteRows(tx, table.what, `DELETE FROM ${table.what} WHERE ${ofDay}`, day);
    await tx.execute(table.what, `DELETE FROM ${table.what} WHERE ${isOfDay} AND ${isSuperseded(table, "-")}`, day);
    if (due.length - 1 > 2) report({ kind: "behind", what: table.what, days: due.length - 1 });
    return dropped;
  });
}

/** The days with rows to drop that are completely before the day of `horizon`, oldest first. */
async function daysBefore(tx: Transaction, table: ByDay, horizon: Timestamp): Promise<Timestamp[]> {
  const rows = await tx.rows<{ day: Timestamp }>(
    `SELECT DISTINCT epoch_us(date_trunc('day', ${table.time})) AS day FROM ${table.what}
      WHERE ${table.time} < date_trunc('day', $1) AND ${isSuperseded(table)} ORDER BY day`,
    [{ micros: horizon }],
  );
  return rows.map(({ day }) => day);
}

/**
 * Whether a row belongs to a report that is not its node's latest.
 * @param sign minus for spacers, whose ids are the negated ids of their rows (`storage/ingest/write/spaced-rows.ts`)
 */
function isSuperseded({ what, report }: ByDay, sign: "" | "-" = ""): string {
  const id = `${sign}${what}.${report}`;
  return `${id} > 0 AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.report_id = ${id})`;
}
