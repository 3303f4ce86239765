import { COMMAND_VERSIONS, type FixtureCommand, type FixtureCommandName } from "#fixtures/population.ts";
import { Random } from "#fixtures/random.ts";
import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { SEED } from "../population.ts";
import type { WireCommand } from "../posting.ts";
import { requestOf } from "../requests.ts";

/** How often agents run, in ms. */
export const RUN_INTERVAL = 30 * 60_000;

/** How likely it is that a run finds another catalog than the run before. */
const CATALOG_CHANGES = 0.02;

/** Instants as payloads contain them. */
const INSTANT = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"/g;

/**
 * One node, run after run: the commands of a made-up node moved on in time. Facts that measure something change with each
 * run, the catalog once in fifty, and each report is another. Texts are put together from parts that are made once, for
 * whoever sends them shares the processors with the server that is measured. What a run sends depends on the node, the number
 * of the run and its time alone, so that a later process can continue with the next run.
 */
export class NodeRuns {
  readonly #certname: string;
  readonly #facts: JsonObject | undefined;
  readonly #catalog: { readonly header: JsonObject; readonly body: string } | undefined;
  readonly #report: string | undefined;
  /** when the run ends that the report is of, ms since the epoch */
  readonly #reportEnd: number;
  readonly #index: number;
  readonly #changesAll: boolean;
  /** how often the catalog has changed in the first `#counted` runs */
  #changes = 0;
  #counted = 0;

  /**
   * @param commands what the node sends in one run
   * @param options `index`: which of the fleet's nodes it is; `changesAll`: whether each run has another value of a fact that is
   *   not measured, and another catalog
   */
  constructor(
    certname: string,
    commands: readonly FixtureCommand[],
    { index, changesAll = false }: { readonly index: number; readonly changesAll?: boolean },
  ) {
    const payload = (name: FixtureCommandName): JsonObject | undefined =>
      commands.find(({ command }) => command === name)?.payload;
    const catalog = payload("replace catalog");
    const report = payload("store report");
    this.#certname = certname;
    this.#changesAll = changesAll;
    this.#index = index;
    this.#facts = payload("replace facts");
    this.#report = report === undefined ? undefined : stringifyJson(report);
    const reported = report?.["producer_timestamp"];
    this.#reportEnd = typeof reported === "string" ? Date.parse(reported) : 0;
    if (catalog !== undefined) {
      const { resources = [], edges = [], ...header } = catalog;
      // What follows the opening bracket of the resources, so that one can be put before them.
      this.#catalog = { header, body: `${stringifyJson(resources).slice(1)},"edges":${stringifyJson(edges)}}` };
    }
  }

  /**
   * @param number from 0; a later call has a higher one
   * @param end when the run ends, ms since the epoch
   */
  *run(number: number, end: number): Generator<WireCommand> {
    const random = new Random(SEED, this.#index, "run", number);
    const instant = (before: number): string => new Date(end - before).toISOString();
    if (this.#facts !== undefined) {
      yield this.#wire("replace facts", instant(3000), this.#factsText(instant(3000), random));
    }
    if (this.#catalog !== undefined) {
      yield this.#wire("replace catalog", instant(2000), this.#catalogText(number, instant(2000), random));
    }
    if (this.#report !== undefined) yield this.#wire("store report", instant(0), this.#reportText(end, random));
  }

  #wire(command: FixtureCommandName, producerTimestamp: string, payload: string): WireCommand {
    const name = command.replaceAll(" ", "_");
    const version = String(COMMAND_VERSIONS[command]);
    return requestOf({ command: name, version, certname: this.#certname, producerTimestamp, payload });
  }

  #factsText(producedAt: string, random: Random): string {
    const values: JsonObject = {
      ...(this.#facts?.["values"] as JsonObject),
      ...measurements(Date.parse(producedAt), random),
    };
    if (this.#changesAll) values["release"] = producedAt;
    return stringifyJson({ ...this.#facts, producer_timestamp: producedAt, values });
  }

  #catalogText(number: number, producedAt: string, random: Random): string {
    const header = stringifyJson({
      ...this.#catalog?.header,
      version: `${number}`,
      transaction_uuid: random.uuid(),
      catalog_uuid: random.uuid(),
      producer_timestamp: producedAt,
    });
    const changing = stringifyJson({
      type: "File",
      title: "/etc/fleet/release",
      tags: ["file"],
      exported: false,
      file: null,
      line: null,
      parameters: { ensure: "file", content: `release ${this.#release(number)} of ${this.#certname}` },
    });
    return `${header.slice(0, -1)},"resources":[${changing},${this.#catalog?.body ?? "]}"}`;
  }

  /** How often the catalog has changed up to a run. */
  #release(number: number): number {
    for (; this.#counted <= number; this.#counted++) {
      const random = new Random(SEED, this.#index, "catalog", this.#counted);
      if (random.chance(this.#changesAll ? 1 : CATALOG_CHANGES)) this.#changes++;
    }
    return this.#changes;
  }

  #reportText(end: number, random: Random): string {
    const moved = end - this.#reportEnd;
    return (this.#report ?? "")
      .replace(INSTANT, (quoted) => `"${new Date(Date.parse(quoted.slice(1, -1)) + moved).toISOString()}"`)
      .replace(/"transaction_uuid":"[^"]*"/, () => `"transaction_uuid":"${random.uuid()}"`);
  }
}

/** Facts that are never the same twice. */
function measurements(at: number, random: Random): JsonObject {
  const [seconds, total] = [Math.floor(at / 1000) % 40_000_000, 16_000_000_000];
  const used = random.integer(1_000_000_000, total);
  const load = (): number => random.integer(0, 799) / 100;
  return {
    system_uptime: {
      seconds,
      hours: Math.floor(seconds / 3600),
      days: Math.floor(seconds / 86_400),
      uptime: `${Math.floor(seconds / 86_400)} days`,
    },
    uptime_seconds: seconds,
    load_averages: { "1m": load(), "5m": load(), "15m": load() },
    memory: { system: { total_bytes: total, used_bytes: used, available_bytes: total - used } },
  };
}
