import { oneLine, shortFailure } from "#storage/display/short-failure.ts";
import { shortFile } from "#storage/display/short-file.ts";
import { formatDuration } from "#storage/display/spans.ts";
import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import type { StateKey } from "#storage/states/node-state.ts";
import { textOrNull } from "../node/failures.ts";
import { nodePage } from "../node/page.ts";
import { stateOfWord } from "#storage/states/words.ts";
import { stateText } from "../output/states.ts";
import { treeLines } from "../output/tree.ts";
import type { List, ListRow } from "./list.ts";
import type { State } from "./state.ts";
import { ageText, timeText } from "./times.ts";

/** The page of `census node` below its head, line by line. */
export function summaryList({ fleet, details, columns }: State, key: string): List {
  const detail = details.get(key);
  const summary = detail?.kind === "node" ? detail.summary : undefined;
  const page =
    summary === undefined ? "" : nodePage(summary, { width: columns - 2, isColoured: false, now: fleet.now });
  // The state and its reason are above the list.
  const lines = page === "" ? [] : page.trimEnd().split("\n");
  return {
    ...textList(lines.slice(lines.indexOf("") + 1)),
    nothing: detail?.kind === "node" ? "This node was removed." : nothingOf(detail),
  };
}

/** The facts of a node as a tree. */
export function factList({ details }: State, key: string): List {
  const lines = detailRows(details.get(key)).flatMap(({ name, value }) => treeLines(cellText(name), value ?? null));
  return { ...textList(lines), nothing: nothingOf(details.get(key), "This node has no facts.") };
}

function textList(lines: readonly string[]): List {
  return {
    columns: [{ heading: "", width: { share: 1 } }],
    orders: [],
    nothing: "",
    rows: lines.map((line, index) => ({ key: String(index), texts: [line], cells: () => [line] })),
  };
}

/** The reports of a node, the latest first. */
export function reportList({ fleet, details }: State, key: string, certname: string): List {
  const detail = details.get(key);
  return {
    columns: [
      { heading: "status", width: 12 },
      { heading: "end", width: 19 },
      { heading: "age", width: 7, isNumber: true },
      { heading: "duration", width: 9, isNumber: true, from: 70 },
      { heading: "failed", width: 6, isNumber: true, from: 80 },
      { heading: "changed", width: 7, isNumber: true, from: 80 },
      { heading: "environment", width: { share: 1 }, from: 90 },
    ],
    orders: [],
    nothing: nothingOf(detail, "This node has sent no report."),
    rows: detailRows(detail).map((row): ListRow => {
      const [status, end, hash] = ["status", "end_time", "hash"].map((name) => cellText(row[name]));
      const seconds = cellText(row["seconds"]);
      const state = stateOfWord(status ?? "");
      return {
        key: hash ?? "",
        texts: [status ?? "", end ?? "", cellText(row["environment"])],
        cells: () => [
          stateText(status ?? "", state),
          timeText(end ?? ""),
          ageText(end ?? "", fleet.now),
          seconds === "" ? "–" : formatDuration(Number(seconds)),
          ...["failed", "changed"].map((name) => cellText(row[name])),
          cellText(row["environment"]),
        ],
        state,
        opens: { kind: "report", hash: hash ?? "", certname, time: end ?? "" },
      };
    }),
  };
}

/** Events, as `census events` lists them; failures first. */
export function eventList({ details }: State, key: string, certname: string): List {
  const detail = details.get(key);
  const order = ["failure", "success", "noop", "skipped"];
  return {
    columns: [
      { heading: "status", width: 10 },
      { heading: "resource", width: { share: 2 } },
      { heading: "message", width: { share: 3 } },
    ],
    orders: [{ name: "status" }, { name: "resource" }],
    nothing: nothingOf(detail, "This run changed nothing, and nothing failed."),
    rows: detailRows(detail).map((row, index): ListRow => {
      const status = cellText(row["status"]);
      const state = stateOfWord(status);
      const resource = cellText(row["resource"]);
      const message = shortFailure(cellText(row["message"]), { certname });
      const declared = textOrNull(row["declared"]);
      return {
        key: String(index),
        texts: [status, resource, message],
        cells: () => [stateText(status, state), resource, message],
        more: `${resource}: ${message}${declared === null ? "" : ` (${shortFile(declared)})`}`,
        state,
        ranks: [order.indexOf(status), resource],
      };
    }),
  };
}

const levelStates: Readonly<Record<string, StateKey>> = {
  emerg: "failed",
  alert: "failed",
  crit: "failed",
  err: "failed",
  warning: "corrective",
};

/** The lines of a report's log. */
export function logList({ details }: State, key: string): List {
  const detail = details.get(key);
  return {
    columns: [
      { heading: "level", width: 9 },
      { heading: "time", width: 8, from: 80 },
      { heading: "message", width: { share: 3 } },
      { heading: "source", width: { share: 1 }, from: 100, isFaint: true },
    ],
    orders: [],
    nothing: nothingOf(detail, "This report has no log."),
    rows: detailRows(detail).map((row, index): ListRow => {
      const [level, time, message, source] = ["level", "time", "message", "source"].map((name) => cellText(row[name]));
      const text = oneLine(message ?? "");
      const state = levelStates[level ?? ""];
      return {
        key: String(index),
        texts: [level ?? "", text, source ?? ""],
        cells: () => [stateText(level ?? "", state), (time ?? "").slice(11, 19), text, source ?? ""],
        more: `${source}: ${text}`,
        state,
      };
    }),
  };
}

function detailRows(detail: ReturnType<State["details"]["get"]>): readonly JsonObject[] {
  return detail?.kind === "rows" ? detail.rows : [];
}

function nothingOf(detail: ReturnType<State["details"]["get"]>, nothing = ""): string {
  if (detail === undefined) return "Reading…";
  return detail.kind === "problem" ? detail.text : nothing;
}
