import { linkSubjects } from "#storage/saved-queries/types.ts";
import { jsonResponse } from "../../http/response.ts";
import { json, object } from "../../openapi/replies.ts";
import { apiHeaders } from "../headers.ts";
import { readSite } from "../site.ts";
import { answerReadably } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";

/** `site`: what a site shares with all who use the explorer, from the file of the setting `explorer-site`. */
export const site: Endpoint = {
  path: "site",
  describe: () => ({ get: operation }),
  handle: (services, request) =>
    answerReadably(services, request, async () => {
      const { settings } = services.explorer;
      const response = jsonResponse(await readSite(settings.site, settings));
      return { ...response, headers: { ...response.headers, ...apiHeaders } };
    }),
};

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

const operation = {
  summary: "The shared queries, views and links of the site",
  description:
    "What the file that the setting `explorer-site` names has; empty without it. Queries in SQL are left out unless the workbench runs SQL.",
  responses: {
    "200": json(
      "The contents of the file",
      object(
        {
          title: textOrNull,
          queries: {
            type: "array",
            items: object({ name: text, language: { enum: ["pql", "ast", "sql"] }, text }, "name", "language", "text"),
          },
          views: {
            type: "array",
            items: object(
              { name: text, address: { ...text, description: "The path of a page with its parameters" } },
              "name",
              "address",
            ),
          },
          links: {
            type: "array",
            items: object(
              {
                label: text,
                on: { enum: Object.keys(linkSubjects) },
                url: { ...text, description: "With parts in braces, such as {certname}" },
              },
              "label",
              "on",
              "url",
            ),
          },
          problem: { ...textOrNull, description: "Why the file cannot be used, with the place in it" },
        },
        "title",
        "queries",
        "views",
        "links",
        "problem",
      ),
    ),
  },
} as const;
