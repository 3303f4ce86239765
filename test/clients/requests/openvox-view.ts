import { z } from "zod";
import { get, post, type RecordedClient } from "./client-request.ts";
import { COMMANDS, QUERY } from "./sample.ts";
import { accepted, eventCounts, node, read, report, rows } from "./shapes.ts";

/** POST for everything it queries (`reference/clients.md §7`). */
export const openvoxView: RecordedClient = {
  client: "OpenVox View",
  headers: { Accept: "application/json", "Content-Type": "application/json" },
  requests: [
    post(
      "nodes by facts and status",
      QUERY,
      { query: "nodes { (catalog_environment = 'production') and latest_report_status in ['failed', 'changed'] }" },
      rows(node),
    ),
    post(
      "latest reports, a page of them",
      QUERY,
      { query: "reports { latest_report? = true order by end_time desc limit 100 offset 0 }" },
      rows(report),
    ),
    post(
      "number of nodes",
      QUERY,
      { query: "nodes [count()] { }" },
      z.tuple([z.looseObject({ count: z.int().min(1) })]),
    ),
    post("every node", `${QUERY}/nodes`, { query: null }, rows(node)),
    post(
      "events of latest reports",
      `${QUERY}/event-counts`,
      { query: ["=", "latest_report?", true], summarize_by: "certname" },
      rows(eventCounts),
    ),
    post(
      "deactivation",
      `${COMMANDS}?command=deactivate%20node&version=3&certname=viewed.example.com`,
      { certname: "viewed.example.com", producer_timestamp: "2026-11-20T11:00:00.000Z" },
      accepted,
    ),
    get(
      "names of metrics",
      "/metrics/v2/list",
      {},
      z.looseObject({ status: z.literal(200), value: z.looseObject({}) }),
    ),
    get(
      "a metric",
      "/metrics/v2/read/puppetlabs.puppetdb.mq:name=global.depth",
      {},
      read(z.looseObject({ Count: z.int() })),
    ),
  ],
};
