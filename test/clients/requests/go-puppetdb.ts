import { z } from "zod";
import { get, type RecordedClient } from "./client-request.ts";
import { NODE, QUERY } from "./sample.ts";
import { event, fact, node, report, rows, text } from "./shapes.ts";

/** Ends its URLs with an ampersand (`reference/clients.md §11`). */
export const goPuppetdb: RecordedClient = {
  client: "go-puppetdb",
  headers: { "User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip" },
  requests: [
    get("nodes", `${QUERY}/nodes?`, {}, rows(node)),
    {
      ...get("nodes by a query", "", {}, rows(node)),
      path: `${QUERY}/nodes?query=${encodeURIComponent('["~","certname","hist"]')}&`,
    },
    get("a node's facts", `${QUERY}/nodes/${NODE}/facts`, {}, rows(fact)),
    get("a fact", `${QUERY}/facts/kernel`, {}, rows(fact)),
    {
      ...get("events", "", {}, rows(event)),
      path: `${QUERY}/events?query=${encodeURIComponent(`["=","certname","${NODE}"]`)}&`,
    },
    {
      ...get("reports", "", {}, rows(report)),
      path: `${QUERY}/reports?query=${encodeURIComponent(`["=","certname","${NODE}"]`)}&`,
    },
    // The client's own error, which PuppetDB refuses as well.
    get("counts by a name that is none", `${QUERY}/event-counts`, { "summarize-by": "certname" }, /./, { status: 400 }),
    get("the version", "/pdb/meta/v1/version", {}, z.looseObject({ version: text })),
  ],
};

/** `puppetdb_conn_validator` of the puppetlabs-puppetdb module: any 200 will do. */
export const connectionValidator: RecordedClient = {
  client: "puppetdb_conn_validator",
  headers: { Accept: "application/json", "User-Agent": "Ruby" },
  requests: [get("whether it answers", "/pdb/meta/v1/version", {}, z.looseObject({ version: text }))],
};
