import { z } from "zod";
import { get, type RecordedClient } from "./client-request.ts";
import { QUERY } from "./sample.ts";
import { rows, text } from "./shapes.ts";

const service = z.looseObject({ service_version: text, service_status_version: z.int(), state: z.literal("running") });

/** `puppet query` and `puppet db status` (`reference/clients.md §8`). */
export const puppetdbCli: RecordedClient = {
  client: "puppetdb-cli",
  headers: { Accept: "application/json", "Accept-Encoding": "gzip", "User-Agent": "Go-http-client/1.1" },
  requests: [
    get("puppet query, PQL", QUERY, { query: "nodes[certname] { }" }, rows({ certname: text })),
    get("puppet query, AST", QUERY, { query: '["from","nodes",["extract","certname"]]' }, rows({ certname: text })),
    get(
      "puppet query with a mistake",
      QUERY,
      { query: "nodes[nope] { }" },
      /^Can't extract unknown 'nodes' field 'nope'/,
      {
        status: 400,
      },
    ),
    get(
      "puppet db status",
      "/status/v1/services",
      {},
      z.looseObject({
        "puppetdb-status": service.extend({
          status: z.looseObject({
            "maintenance_mode?": z.literal(false),
            queue_depth: z.int(),
            "read_db_up?": z.literal(true),
            "write_db_up?": z.literal(true),
          }),
        }),
      }),
    ),
  ],
};
