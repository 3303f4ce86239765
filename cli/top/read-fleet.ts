import type { JsonObject } from "#storage/json.ts";
import { type NodeStateRow, type Silence, silenceAt, stateFields, stateOf } from "#storage/states/node-state.ts";
import type { SourceClock } from "../node/summary.ts";
import { textOrNull } from "../node/failures.ts";
import { pqlText } from "../short-forms/pql.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import type { Fleet, FleetNode, Issue } from "./fleet.ts";
import { issuesOf } from "./issues.ts";
import { readFailedReports, readSince } from "./read-failures.ts";

/** Reads the nodes of a source, and what fails on them. */
export class FleetReader {
  readonly #clock: SourceClock;
  /** The latest reports of all nodes that {@link #issues} was computed of. */
  #reports: string | undefined;
  #issues: readonly Issue[] = [];

  constructor(clock: SourceClock) {
    this.#clock = clock;
  }

  /** Failures are read again only after a node has sent a report. */
  async read(readRows: ReadRows): Promise<Fleet> {
    const now = new Date(Number((await this.#clock.now()) / 1000n));
    const silence = silenceAt(now.getTime(), await this.#clock.silentAfter());
    const known = ["certname", "report_environment", "catalog_environment", "latest_report_hash"];
    const fields = [...known, ...stateFields(silence)];
    const rows = await readRows(pqlText({ entity: "nodes", fields, conditions: [], order: ["order by certname"] }));
    const nodes = rows.map((row) => nodeOf(row, silence));
    const reports = nodes.map(({ certname, hash }) => `${certname} ${hash}`).join("\n");
    if (reports !== this.#reports) {
      const failed = await readFailedReports(readRows);
      const sinceOf = await readSince(
        failed.map(({ certname }) => certname),
        readRows,
      );
      this.#issues = issuesOf(failed, sinceOf);
      this.#reports = reports;
    }
    return { now, nodes, issues: this.#issues };
  }
}

function nodeOf(row: JsonObject, silence: Silence): FleetNode {
  return {
    certname: textOrNull(row["certname"]) ?? "",
    state: stateOf(row as unknown as NodeStateRow, silence),
    environment: textOrNull(row["report_environment"] ?? row["catalog_environment"]),
    report: textOrNull(row["report_timestamp"]),
    hash: textOrNull(row["latest_report_hash"]),
  };
}
