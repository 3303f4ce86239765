import { jsonResponse } from "../../http/response.ts";
import { json, object } from "../../openapi/replies.ts";
import { apiHeaders } from "../headers.ts";
import { answerReadably } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * `settings`: the settings in use and where each is set, as `census config` shows them. The contents of files that they
 * name are not read, and values of PuppetDB's settings that have no effect here, such as passwords, are not even known.
 */
export const effectiveSettings: Endpoint = {
  path: "settings",
  family: "admin",
  describe: () => ({ get: operation }),
  handle: (services, request) =>
    answerReadably(services, request, async () => {
      const { entries = [], ignored = [] } = services.explorer.effective ?? {};
      const response = jsonResponse({
        settings: [
          ...entries.map(({ section, name, value, from, note }) => ({ section, name, value, from, note })),
          ...ignored.map(({ section, name, from, reason }) => ({
            section,
            name,
            value: null,
            from,
            note: `ignored: ${reason}`,
          })),
        ],
      });
      return { ...response, headers: { ...response.headers, ...apiHeaders } };
    }),
};

const text = { type: "string" } as const;

const operation = {
  summary: "The settings in use",
  description: "None of an archive or a fixture, which are served without settings.",
  responses: {
    "200": json(
      "The settings",
      object(
        {
          settings: {
            type: "array",
            items: object(
              { section: text, name: text, value: { type: ["string", "null"] }, from: text, note: text },
              "section",
              "name",
              "value",
              "from",
              "note",
            ),
          },
        },
        "settings",
      ),
    ),
  },
} as const;
