import { z } from "zod";
import { post, type RecordedClient } from "./client-request.ts";
import { COMMANDS, NODE, QUERY } from "./sample.ts";
import { accepted, rows, text } from "./shapes.ts";

/** Targets and facts of plans (`reference/clients.md §10`). */
export const bolt: RecordedClient = {
  client: "Bolt",
  headers: { "Content-Type": "application/json", Accept: "application/json" },
  requests: [
    post("targets", QUERY, { query: "inventory[certname] { facts.kernel = 'Linux' }" }, rows({ certname: text })),
    post("a query that is wrong", QUERY, { query: "inventory[" }, /^PQL parse error/, { status: 400 }),
    post(
      "facts of targets",
      `${QUERY}/inventory`,
      { query: ["or", ["=", "certname", NODE], ["=", "certname", "nobody.example.com"]] },
      z.tuple([z.looseObject({ certname: z.literal(NODE), facts: z.looseObject({ kernel: z.literal("Linux") }) })]),
    ),
    post(
      "single facts of targets",
      `${QUERY}/fact-contents`,
      { query: ["and", ["or", ["in", "certname", ["array", [NODE]]]], ["or", ["=", "path", ["os", "family"]]]] },
      z.tuple([z.looseObject({ certname: text, path: z.tuple([z.literal("os"), z.literal("family")]), value: text })]),
    ),
    post(
      "facts that a plan collected",
      `${COMMANDS}?command=replace_facts&version=5&certname=bolt.example.com`,
      {
        certname: "bolt.example.com",
        environment: "production",
        producer_timestamp: "2026-11-20T11:00:00.000Z",
        producer: "bolt",
        values: { kernel: "Linux" },
      },
      accepted,
    ),
  ],
};
