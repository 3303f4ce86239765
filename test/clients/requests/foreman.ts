import { z } from "zod";
import { get, post, type RecordedClient } from "./client-request.ts";
import { COMMANDS, NODE, QUERY } from "./sample.ts";
import { accepted, fact, node, resource, rows } from "./shapes.ts";

const query = `["=", "certname", "${NODE}"]`;

/** Its command is of the deprecated form (`reference/clients.md §11`). */
export const foreman: RecordedClient = {
  client: "Foreman (puppetdb_foreman)",
  headers: { Accept: "application/json" },
  requests: [
    post(
      "deactivation",
      COMMANDS,
      {
        command: "deactivate node",
        version: 3,
        payload: { certname: "retired.example.com", producer_timestamp: "2026-11-20T11:00:00.000Z" },
      },
      accepted,
      { headers: { "Content-Type": "application/json" } },
    ),
    get("nodes", `${QUERY}/nodes`, {}, rows(node)),
    get("a node's facts", `${QUERY}/facts`, { query }, rows(fact)),
    get("a node's resources", `${QUERY}/resources`, { query }, rows(resource)),
    get("status", "/status/v1/services/puppetdb-status", {}, z.looseObject({ state: z.literal("running") })),
  ],
};
