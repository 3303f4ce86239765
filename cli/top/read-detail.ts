import type { JsonObject } from "#storage/json.ts";
import { logLines } from "../node/failures.ts";
import { nodeSummary, type SourceClock } from "../node/summary.ts";
import { eventsForm } from "../short-forms/events.ts";
import { factsForm } from "../short-forms/facts.ts";
import { equal, pqlText } from "../short-forms/pql.ts";
import { reportsForm } from "../short-forms/reports.ts";
import type { ShortForm } from "../short-forms/run.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import type { Detail, Page } from "./state.ts";
import { tabOf } from "./tabs.ts";

/** Reads what a page shows besides the fleet. */
export async function readDetail(page: Page, readRows: ReadRows, clock: SourceClock): Promise<Detail> {
  const { subject } = page;
  const tab = tabOf(page);
  const readForm = async (form: Pick<ShortForm, "query" | "shape">): Promise<Detail> => {
    const { shape = (row: JsonObject) => row } = form;
    return { kind: "rows", rows: (await readRows(form.query(await clock.now()))).map(shape) };
  };
  if (subject.kind === "report") {
    if (tab === "events") return readForm(eventsForm({ of: subject.hash }));
    const [report] = await readRows(
      pqlText({ entity: "reports", fields: ["logs"], conditions: [equal("hash", subject.hash)] }),
    );
    return { kind: "rows", rows: logLines(report?.["logs"]) };
  }
  if (subject.kind !== "node") return { kind: "rows", rows: [] };
  const { certname } = subject;
  if (tab === "reports") return readForm(reportsForm({ certname, limit: "200" }));
  if (tab === "events") return readForm(eventsForm({ of: certname }));
  if (tab === "facts") return readForm(factsForm({ certname }));
  return { kind: "node", summary: await nodeSummary(certname, readRows, clock) };
}
