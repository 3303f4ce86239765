import { z } from "zod";
import { get, post, type RecordedClient } from "./client-request.ts";
import { COMMANDS, NODE, QUERY } from "./sample.ts";
import { accepted, node, rows, text } from "./shapes.ts";

/** What the terminus requests besides the requests of real runs (`reference/clients.md §4`). */
export const terminus: RecordedClient = {
  client: "Puppet terminus",
  headers: {
    Accept: "application/json",
    "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3",
    "User-Agent": "Puppet/7.23.0 Ruby/3.1.2-p20 (x86_64-linux-gnu)",
    "X-Puppet-Version": "7.23.0",
  },
  requests: [
    get(
      "exported resources by a parameter and a tag",
      `${QUERY}/resources`,
      {
        query: `["and",["=","type","Lookout::Probe"],["=","exported",true],["not",["=","certname","me.example.com"]],["and",["=",["parameter","every"],60],["=","tag","lookout::probe"]]]`,
      },
      rows({ certname: text, type: text, title: text, parameters: z.record(text, z.json()) }),
    ),
    get(
      "a search for facts",
      `${QUERY}/nodes`,
      {
        query:
          '["and",["=",["fact","kernel"],"Linux"],[">",["fact","processorcount"],1],["<=",["fact","processorcount"],512]]',
      },
      rows(node),
    ),
    get("facts of a node that is unknown", `${QUERY}/nodes/nobody.example.com/facts`, {}, /^\{/, { status: 404 }),
    get("a node's state", `${QUERY}/nodes/${NODE}`, {}, z.looseObject(node), {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    }),
    post("a query in a manifest, PQL", QUERY, { query: "nodes[certname] { }" }, rows({ certname: text }), {
      headers: { "Content-Type": "application/json; charset=UTF-8" },
    }),
    post(
      "a query in a manifest, AST",
      QUERY,
      { query: ["from", "nodes", ["extract", "certname"]] },
      rows({ certname: text }),
      {
        headers: { "Content-Type": "application/json; charset=UTF-8" },
      },
    ),
    post(
      "inputs of a catalog",
      `${COMMANDS}?version=1&certname=inputs.example.com&command=replace_catalog_inputs&producer-timestamp=2026-11-20T11:00:00.000Z`,
      {
        certname: "inputs.example.com",
        producer_timestamp: "2026-11-20T11:00:00.000Z",
        catalog_uuid: "53b72442-3b73-11e3-94a8-1b34ef7fdc95",
        inputs: [["hiera", "chrony::servers"]],
      },
      accepted,
      { headers: { "Content-Type": "application/json; charset=utf-8" } },
    ),
  ],
};
