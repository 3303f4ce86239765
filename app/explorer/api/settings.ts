import { json } from "../../openapi/replies.ts";
import { answerReadably, plainAnswer } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";
import { shapes } from "./shapes.ts";

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
      return plainAnswer<"settings">({
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
    }),
};

const operation = {
  summary: "The settings in use",
  description: "None of an archive or a fixture, which are served without settings.",
  responses: {
    "200": json("The settings", shapes.settings),
  },
} as const;
