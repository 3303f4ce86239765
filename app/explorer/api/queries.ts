import { jsonResponse } from "../../http/response.ts";
import { json, object } from "../../openapi/replies.ts";
import { apiHeaders } from "../headers.ts";
import { readSiteQueries } from "../saved-queries.ts";
import { answerReadably } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";

/** `queries`: the saved queries of the site, from the file of the setting `explorer-queries`. */
export const queries: Endpoint = {
  path: "queries",
  describe: () => ({ get: operation }),
  handle: (services, request) =>
    answerReadably(services, request, async () => {
      const response = jsonResponse(await readSiteQueries(services.explorer.settings.queries));
      return { ...response, headers: { ...response.headers, ...apiHeaders } };
    }),
};

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

const operation = {
  summary: "The saved queries of the site",
  description: "The queries of the file that the setting `explorer-queries` names, but those in SQL; none without it.",
  responses: {
    "200": json(
      "The queries",
      object(
        {
          title: textOrNull,
          queries: {
            type: "array",
            items: object({ name: text, language: { enum: ["pql", "ast"] }, text }, "name", "language", "text"),
          },
          problem: { ...textOrNull, description: "Why the file cannot be used, with the place in it" },
        },
        "title",
        "queries",
        "problem",
      ),
    ),
  },
} as const;
