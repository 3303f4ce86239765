import { z } from "zod";
import { get, post, type RecordedClient } from "./client-request.ts";
import { QUERY, REPORT } from "./sample.ts";
import { node, rows, text } from "./shapes.ts";

/** Every five seconds, without an `Accept` (`reference/clients.md §9`). */
export const prometheusExporter: RecordedClient = {
  client: "prometheus-puppetdb-exporter",
  headers: { "User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip" },
  requests: [
    get(
      "every node, active or not",
      `${QUERY}/nodes`,
      { query: '["or", ["=", ["node", "active"], false], ["=", ["node", "active"], true]]' },
      rows(node),
    ),
    get(
      "a report's metrics, bare",
      `${QUERY}/reports/${REPORT}/metrics`,
      {},
      rows({ name: text, value: z.number(), category: text }),
    ),
  ],
};

/** Targets out of exported resources (`reference/clients.md §9`). */
export const prometheusDiscovery: RecordedClient = {
  client: "prometheus-puppetdb-sd",
  headers: { "Content-Type": "application/json", Accept: "application/json" },
  requests: [
    post(
      "jobs, where there are none",
      QUERY,
      { query: "resources[certname, parameters] { type = 'Prometheus::Scrape_job' and exported = true }" },
      z.array(z.never()),
    ),
    post(
      "exported resources with their parameters",
      QUERY,
      { query: "resources[certname, parameters] { type = 'Lookout::Probe' and exported = true }" },
      rows({ certname: text, parameters: z.record(text, z.json()) }),
    ),
  ],
};
