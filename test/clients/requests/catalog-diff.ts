import { z } from "zod";
import { get, type RecordedClient } from "./client-request.ts";
import { ENVIRONMENT, NODE, PACKAGED, QUERY } from "./sample.ts";
import { catalog, fact, node, rows, text } from "./shapes.ts";

const nodesWith = (subquery: string): string =>
  `["and",["=",["node","active"],true],["=","catalog_environment","${ENVIRONMENT}"],["=",["fact","kernel"],"Linux"],` +
  `["in","certname",["extract","certname",["${subquery}",["and",["=","type","Class"],["=","title","Chrony"]]]]]]`;

/** Compares catalogs of two compilers (`reference/clients.md §2, §11`). */
export const catalogDiff: RecordedClient = {
  client: "puppet-catalog-diff",
  headers: { Accept: "application/json", "User-Agent": "Ruby" },
  requests: [
    get(
      "the version, whose major part counts",
      "/pdb/meta/v1/version",
      {},
      z.looseObject({ version: z.string().regex(/^\d+\./) }),
    ),
    get("nodes to compare", `${QUERY}/nodes`, { query: nodesWith("select_resources") }, rows(node)),
    // The spelling of its own; PuppetDB says the same (reference/query.md §9).
    get(
      "the same with a hyphen",
      `${QUERY}/nodes`,
      { query: nodesWith("select-resources") },
      /did you mean `select_resources`\?$/,
      {
        status: 400,
      },
    ),
    get(
      "a node's catalog",
      `${QUERY}/catalogs`,
      { query: `["and",["=","certname","${NODE}"],["=","environment","${ENVIRONMENT}"]]` },
      z.tuple([z.looseObject(catalog)]),
    ),
  ],
};

/** What it requests when it compares; a body with a key `error` would be one (`reference/clients.md §11`). */
export const octocatalogDiff: RecordedClient = {
  client: "octocatalog-diff",
  headers: { Accept: "application/json", "User-Agent": "Ruby" },
  requests: [
    get("a node's catalog", `${QUERY}/catalogs/${NODE}`, {}, z.looseObject(catalog)),
    get("a node's facts", `${QUERY}/nodes/${NODE}/facts`, {}, rows(fact)),
    get(
      "a node's packages",
      `${QUERY}/package-inventory/${PACKAGED}`,
      {},
      rows({ package_name: text, provider: text, version: text }),
    ),
    get("a node that is unknown", `${QUERY}/catalogs/nobody.example.com`, {}, z.looseObject({ error: text }), {
      status: 404,
    }),
  ],
};
