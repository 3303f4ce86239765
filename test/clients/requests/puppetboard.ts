import { z } from "zod";
import { get, type RecordedClient } from "./client-request.ts";
import { ENVIRONMENT, NODE, QUERY, REPORT, TIME } from "./sample.ts";
import { catalog, count, event, eventCounts, fact, node, read, report, rows, text } from "./shapes.ts";

const E = ENVIRONMENT;
const EARLIER = "2026-11-12T00:00:00.000Z";
const newest = '[{"field": "start_time", "order": "desc"}]';
const one = (shape: z.ZodRawShape) => z.looseObject(shape);

/** Page after page, each clause nested as it comes: one-operand `and`, `order_by` as a text (`reference/clients.md §6`). */
export const puppetboard: RecordedClient = {
  client: "Puppetboard",
  headers: {
    Accept: "application/json",
    "Content-Type": "application/json",
    "Accept-Charset": "utf-8",
    "User-Agent": "pypuppetdb/3.2.0",
    Authorization: "Basic Tm9uZTpOb25l",
  },
  requests: [
    // A version that ends below 5.2.0 ends Puppetboard, and a leading v breaks it.
    get("start", "/pdb/meta/v1/version", {}, one({ version: z.string().regex(/^([6-9]|\d\d)\.\d+\.\d+(-|$)/) })),
    get("every page", `${QUERY}/environments`, {}, rows({ name: text })),
    ...["num-nodes", "num-resources"].map((name) =>
      get(
        `overview of every environment: ${name}`,
        `/metrics/v2/read/puppetlabs.puppetdb.population%3Aname%3D${name}`,
        {},
        read(one({ Value: z.number().min(1) })),
      ),
    ),
    get(
      "overview: nodes of an environment",
      `${QUERY}/nodes`,
      { query: `["extract", [["function", "count"]], ["and", ["=", "catalog_environment", "${E}"]]]` },
      count,
    ),
    get(
      "overview: resources of an environment",
      `${QUERY}/resources`,
      { query: `["extract", [["function", "count"]], ["=", "environment", "${E}"]]` },
      count,
    ),
    get(
      "overview: the nodes",
      `${QUERY}/nodes`,
      { query: `["and", ["=", "catalog_environment", "${E}"]]` },
      rows(node),
    ),
    get(
      "overview: events of latest reports",
      `${QUERY}/event-counts`,
      { query: '["=", "latest_report?", true]', summarize_by: "certname" },
      rows(eventCounts),
    ),
    get("nodes by status", `${QUERY}/nodes`, { query: '["=", "latest_report_status", "failed"]' }, rows(node)),
    get(
      "nodes that do not report",
      `${QUERY}/nodes`,
      { query: `["or", ["null?", "report_timestamp", true], ["<=", "report_timestamp", "${TIME}"]]` },
      rows(node),
    ),
    get("a node", `${QUERY}/nodes/${NODE}`, {}, one({ ...node, certname: z.literal(NODE) })),
    get("a node's facts", `${QUERY}/facts`, { query: `["=", "certname", "${NODE}"]` }, rows(fact)),
    get(
      "reports, as the table requests them",
      `${QUERY}/reports`,
      {
        query: `["and", ["=", "environment", "${E}"], ["=", "certname", "${NODE}"],
          ["or", ["~", "certname", "hist"], ["~", "puppet_version", "hist"], ["~", "configuration_version", "hist"]],
          ["and", [">=", "end_time", "${EARLIER}"], ["<=", "end_time", "${TIME}"]],
          ["or", ["and", ["=", "status", "failed"], ["=", "noop", false]], ["and", ["=", "status", "changed"], ["=", "noop", false]]]]`,
        order_by: newest,
        limit: "2",
        offset: "1",
        include_total: "true",
      },
      rows(report),
      { answerHeaders: { "x-records": /^[1-9]\d*$/ } },
    ),
    get(
      "a report",
      `${QUERY}/reports`,
      {
        query: `["and", ["=", "certname", "${NODE}"], ["or", ["=", "hash", "${REPORT}"], ["=", "configuration_version", "${REPORT}"]]]`,
      },
      z.tuple([one({ ...report, hash: z.literal(REPORT) })]),
    ),
    get("a report's events", `${QUERY}/events`, { query: `["=", "report", "${REPORT}"]` }, rows(event)),
    get(
      "chart of a day",
      `${QUERY}/reports`,
      {
        query: `["extract", [["function", "count"], "status"], ["and", [">=", "producer_timestamp", "2026-11-14T00:00:00Z"], ["<", "producer_timestamp", "2026-11-15T00:00:00Z"], ["=", "environment", "${E}"]], ["group_by", "status"]]`,
      },
      rows({ count: z.int(), status: text }),
    ),
    get("names of facts", `${QUERY}/fact-names`, {}, z.array(text).min(1)),
    get("a fact", `${QUERY}/facts/kernel`, { query: `["and", ["=", "environment", "${E}"]]` }, rows(fact)),
    get("a fact with a value", `${QUERY}/facts/kernel/Linux`, {}, rows({ ...fact, value: z.literal("Linux") })),
    get(
      "inventory",
      `${QUERY}/facts`,
      { query: `["and", ["or", ["=", "name", "kernel"], ["=", "name", "fqdn"]], ["=", "environment", "${E}"]]` },
      rows(fact),
    ),
    get(
      "catalogs",
      `${QUERY}/nodes`,
      {
        query: `["and", ["=", "catalog_environment", "${E}"], ["~", "certname", "hist"], ["null?", "catalog_timestamp", false]]`,
      },
      rows(node),
    ),
    get("a catalog", `${QUERY}/catalogs/${NODE}`, {}, one(catalog)),
    get(
      "nodes of a class",
      `${QUERY}/nodes`,
      {
        query:
          '["and", ["in", "certname", ["from", "resources", ["extract", "certname", ["and", ["=", "type", "Class"], ["=", "title", "Chrony"]]]]], ["null?", "deactivated", true]]',
      },
      rows(node),
    ),
    get(
      "latest reports, for the classes",
      `${QUERY}/reports`,
      { query: '["in", "hash", ["from", "nodes", ["extract", "latest_report_hash", ["null?", "deactivated", true]]]]' },
      rows(report),
    ),
    get("metrics", "/metrics/v2/list", {}, one({ value: one({ "puppetlabs.puppetdb.mq": z.looseObject({}) }) })),
    get("a query of the user's", QUERY, { query: "nodes[certname] { }" }, rows({ certname: text })),
    get("a mistake of the user's", QUERY, { query: "nodes[" }, /^PQL parse error at line 1/, { status: 400 }),
  ],
};
