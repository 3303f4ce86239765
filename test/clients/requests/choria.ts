import { get, type RecordedClient } from "./client-request.ts";
import { NODE, QUERY } from "./sample.ts";
import { maybeText, rows, text } from "./shapes.ts";
import { z } from "zod";

const found = z.array(z.looseObject({ certname: text, deactivated: maybeText }));
const nodesWhere = (what: string, where: string, answer: z.ZodType = found.min(1)) =>
  get(what, QUERY, { query: `nodes[certname, deactivated] { ${where} }` }, answer);

/** What choria's discovery, and mcollective's before it, makes of filters (`reference/clients.md §10`). */
export const choria: RecordedClient = {
  client: "Choria",
  headers: { Accept: "application/json", "User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip" },
  requests: [
    nodesWhere(
      "nodes of a class with a fact",
      '(resources {type = "Class" and title = "Chrony"}) and (inventory {facts.processorcount = 8 or facts.processorcount = "8"})',
    ),
    nodesWhere(
      "nodes of a collective, where no node names one",
      '(certname in inventory[certname] { facts.mcollective.server.collectives.match("\\d+") = "mcollective" })',
      found.length(0),
    ),
    nodesWhere("nodes by a member of a list", '(certname in inventory[certname] { facts.rings.match("\\d+") ~ "." })'),
    nodesWhere("nodes without a fact", 'inventory {!(facts.kernel = "Linux")}'),
    nodesWhere("nodes by a regular expression for a class", '(resources {type = "Class" and title ~ "^Role::Hist.*"})'),
    nodesWhere(
      "nodes with an agent",
      '(resources {type = "File" and tag ~ "mcollective_agent_.*?puppet.*?_server"})',
      found.length(0),
    ),
    nodesWhere(
      "nodes by name",
      `certname = "${NODE}"`,
      z.tuple([z.looseObject({ certname: z.literal(NODE), deactivated: z.null() })]),
    ),
    get(
      "the rows of an inventory",
      QUERY,
      { query: 'inventory[certname] { facts.os.family ~ "." }' },
      rows({ certname: text }),
    ),
  ],
};
