import { z } from "zod";
import { get, type RecordedClient } from "./client-request.ts";
import { NODE, QUERY } from "./sample.ts";
import { event, fact, node, report, resource, rows } from "./shapes.ts";

const family = (value: string): string =>
  `["in","certname",["extract","certname",["select_fact_contents",["and",["=","path",["os","family"]],["=","value","${value}"]]]]]`;

/** Its language turned into AST (`reference/clients.md §11`). */
export const puppetdbquery: RecordedClient = {
  client: "puppetdbquery",
  headers: { Accept: "application/json", "User-Agent": "Ruby" },
  requests: [
    get("nodes by a structured fact", `${QUERY}/nodes`, { query: family("Suse") }, rows(node)),
    get(
      "nodes by a resource that is not exported",
      `${QUERY}/nodes`,
      {
        query:
          '["in","certname",["extract","certname",["select_resources",["and",["=","type","Class"],["=","title","Chrony"],["=","exported",false]]]]]',
      },
      rows(node),
    ),
    get(
      "facts by a pattern of paths",
      `${QUERY}/fact-contents`,
      { query: `["and",["=","certname","${NODE}"],["~>","path",["os",".*"]]]` },
      rows({ certname: z.literal(NODE), path: z.tuple([z.literal("os"), z.string()]), value: z.json() }),
    ),
    get(
      "facts of nodes",
      `${QUERY}/facts`,
      { query: `["and",${family("Suse")},["or",["=","name","kernel"]]]` },
      rows(fact),
    ),
    get(
      "resources of nodes",
      `${QUERY}/resources`,
      { query: `["and",${family("Suse")},["=","type","Class"],["=","exported",false]]` },
      rows(resource),
    ),
    get("reports of a node", `${QUERY}/reports`, { query: `["=","certname","${NODE}"]` }, rows(report)),
    get("events of a node", `${QUERY}/events`, { query: `["=","certname","${NODE}"]` }, rows(event)),
  ],
};
