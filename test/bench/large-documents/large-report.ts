import { isManaged } from "#fixtures/catalog-draft.ts";
import { makeCatalog } from "#fixtures/catalog.ts";
import { type FixtureNode, instant } from "#fixtures/node.ts";
import { Random } from "#fixtures/random.ts";
import { changesOf, eventsOf } from "#fixtures/report-events.ts";
import { reportLogs, type Run, type Touched } from "#fixtures/report-logs.ts";
import { reportMetrics } from "#fixtures/report-metrics.ts";
import { configurationVersion } from "#fixtures/report.ts";
import type { JsonObject } from "#storage/json.ts";

/** A catalog has more resources than its report: an agent does not report classes. */
const CLASSES = 1.4;

/** A run changes one resource of this many. */
const CHANGED = 20;

/** What a run of an agent takes, and what it takes to get its catalog, ms. */
const DURATION = 300_000;
const RETRIEVAL = 60_000;

/**
 * A report of an agent that lists each of its resources, whether it has changed it or not (`include_unchanged_resources`).
 * @param size the number of resources
 * @param end when the run ended, ms since the epoch
 */
export function largeReport(node: FixtureNode, size: number, end: number): JsonObject {
  const run = largeRun(node, size, end);
  const { catalog, start, retrieved, touched } = run;
  const changed = new Map(touched.map((each) => [each.number, each]));
  const events = touched.flatMap((each) => each.events);
  const counts = { success: events.length, failure: 0, noop: 0, skipped: 0, failed: 0, corrective: 0 };
  const times = { total: DURATION / 1000, retrieval: RETRIEVAL / 1000 };
  return {
    certname: node.certname,
    environment: node.environment,
    puppet_version: node.agentVersion,
    report_format: 12,
    configuration_version: run.configurationVersion,
    start_time: instant(start),
    end_time: instant(end),
    producer_timestamp: instant(end + 400),
    producer: node.producer,
    transaction_uuid: node.transactionUuid,
    catalog_uuid: node.catalogUuid,
    code_id: node.codeId,
    job_id: null,
    cached_catalog_status: "not_used",
    status: "changed",
    noop: false,
    noop_pending: false,
    corrective_change: false,
    type: "agent",
    resources: managedNumbers(run, size).map((number) => {
      const { type, title, file = null, line = null } = catalog.at(number);
      return {
        skipped: false,
        timestamp: instant(changed.get(number)?.at ?? retrieved),
        resource_type: type,
        resource_title: title,
        file,
        line,
        containment_path: catalog.containmentPath(number),
        corrective_change: false,
        events: [...(changed.get(number)?.events ?? [])],
      };
    }),
    metrics: reportMetrics(catalog.resources, { ...counts, touched: touched.length }, times, run.random),
    logs: reportLogs(run),
  };
}

/** The first resources that the agent manages. */
function managedNumbers({ catalog }: Pick<Run, "catalog">, size: number): number[] {
  return [...catalog.resources.keys()].filter((number) => isManaged(catalog.at(number))).slice(0, size);
}

function largeRun(node: FixtureNode, size: number, end: number): Run {
  const run = {
    node,
    outcome: { touched: 1 / CHANGED, status: "success" },
    catalog: makeCatalog(node, Math.ceil(size * CLASSES), false),
    configurationVersion: configurationVersion(end),
    start: end - DURATION,
    retrieved: end - DURATION + RETRIEVAL,
    end,
    random: new Random(node.seed, node.index, "large report"),
    time: instant,
  } as const;
  const touched = managedNumbers(run, size).filter((_, index) => index % CHANGED === 0);
  return { ...run, touched: touched.map((number, order) => changeOf(number, order / touched.length, run)) };
}

/** @param progress how far the run has come, from 0 to 1 */
function changeOf(number: number, progress: number, run: Omit<Run, "touched">): Touched {
  const resource = run.catalog.at(number);
  const at = Math.floor(run.retrieved + progress * (run.end - run.retrieved));
  const changes = changesOf(resource, run.random);
  const result = { status: "success", timestamp: run.time(at), corrective: false } as const;
  return { number, resource, at, changes, events: eventsOf(resource, changes, result) };
}
