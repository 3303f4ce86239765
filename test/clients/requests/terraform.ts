import { z } from "zod";
import { get, post, type RecordedClient } from "./client-request.ts";
import { COMMANDS, NODE, QUERY } from "./sample.ts";
import { accepted, node, text } from "./shapes.ts";

const json = { "Content-Type": "application/json" };

/** Sends `null` with its GETs (`reference/clients.md §11`). */
export const terraform: RecordedClient = {
  client: "terraform-provider-puppetdb",
  headers: { Accept: "application/json", "User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip" },
  requests: [
    { ...get("a node", `${QUERY}/nodes/${NODE}`, {}, z.looseObject(node), { headers: json }), body: "null" },
    {
      ...get("a node that is absent", `${QUERY}/nodes/absent.example.com`, {}, z.looseObject({ error: text }), {
        headers: json,
        status: 404,
      }),
      body: "null",
    },
    post(
      "its removal",
      COMMANDS,
      {
        command: "deactivate node",
        version: 3,
        payload: { certname: "destroyed.example.com", producer_timestamp: "2026-11-20T11:00:00Z" },
      },
      accepted,
      { headers: json },
    ),
  ],
};
