import { json } from "../../openapi/replies.ts";
import { readSite } from "../site.ts";
import { answerReadably, plainAnswer } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";
import { shapes } from "./shapes.ts";

/** `site`: what a site shares with all who use the explorer, from the file of the setting `explorer-site`. */
export const site: Endpoint = {
  path: "site",
  describe: () => ({ get: operation }),
  handle: (services, request) =>
    answerReadably(services, request, async () => {
      const { settings } = services.explorer;
      return plainAnswer<"site">(await readSite(settings.site, settings));
    }),
};

const operation = {
  summary: "The shared queries, views and links of the site",
  description:
    "What the file that the setting `explorer-site` names has; empty without it. Queries in SQL are left out unless the workbench runs SQL.",
  responses: {
    "200": json("The contents of the file", shapes.site),
  },
} as const;
