import { get, type RecordedClient } from "./client-request.ts";
import { NODE, QUERY } from "./sample.ts";
import { catalog, fact, node, rows, text } from "./shapes.ts";
import { z } from "zod";

const form = { "Content-Type": "application/x-www-form-urlencoded" };

/** A form in the body of a GET (`reference/clients.md §11`). */
export const puppetdbRuby: RecordedClient = {
  client: "puppetdb-ruby",
  headers: {
    Accept: "application/json",
    "User-Agent": "Ruby",
    "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3",
  },
  requests: [
    {
      ...get("nodes, by a form", `${QUERY}/nodes`, {}, rows(node), {
        headers: form,
        answerHeaders: { "x-records": /^\d+$/ },
      }),
      body: new URLSearchParams({ query: '["=","facts_environment","production"]', include_total: "true" }).toString(),
    },
    {
      ...get("facts, by a form", `${QUERY}/facts`, {}, z.tuple([z.looseObject(fact)]), { headers: form }),
      body: new URLSearchParams({ query: `["and",["=","certname","${NODE}"],["=","name","kernel"]]` }).toString(),
    },
    get("a catalog", `${QUERY}/catalogs/${NODE}`, {}, z.looseObject(catalog)),
    {
      ...get("a name that was once an option", `${QUERY}/nodes`, {}, /^Unsupported query parameter 'include-total'/, {
        headers: form,
        status: 400,
      }),
      body: "include-total=true",
    },
    get("the version", "/pdb/meta/v1/version", {}, z.looseObject({ version: text })),
  ],
};

const where = (query: string, answer: z.ZodType) => get(query, QUERY, { query }, answer);

/** Looks for code that nothing uses (`reference/clients.md §11`). */
export const ghostbuster: RecordedClient = {
  client: "puppet-ghostbuster",
  headers: puppetdbRuby.headers,
  requests: [
    where(
      'resources[title] { type = "Class" and nodes { deactivated is null } group by title }',
      rows({ title: text }),
    ),
    where("resources[type] { nodes { deactivated is null } group by type }", rows({ type: text })),
    where(
      'resources[certname] { type = "File" and parameters.source = "puppet:///modules/none/x" and parameters.recurse = true and nodes { deactivated is null } }',
      z.array(z.never()),
    ),
    get("nodes that are not deactivated", `${QUERY}/nodes`, { query: '["=","deactivated",null]' }, rows(node)),
  ],
};
