import { formatTimestamp } from "#storage/time.ts";
import { jsonResponse } from "../../http/response.ts";
import { json, object } from "../../openapi/replies.ts";
import { apiHeaders } from "../headers.ts";
import { answerReadably } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";

/** Letters that are listed: each is two files to read. */
const MOST = 200;

/** `dead-letters`: commands that could not be stored, the newest first. */
export const deadLetters: Endpoint = {
  path: "dead-letters",
  family: "admin",
  describe: () => ({ get: operation }),
  handle: (services, request) =>
    answerReadably(services, request, async () => {
      const { total, letters } = (await services.store.deadLetters?.newest(MOST)) ?? { total: 0, letters: [] };
      const listed = letters.map(({ received, ...letter }) => ({ ...letter, received: formatTimestamp(received) }));
      const response = jsonResponse({ total, letters: listed });
      return { ...response, headers: { ...response.headers, ...apiHeaders } };
    }),
};

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

const operation = {
  summary: "Commands that could not be stored",
  description: `The newest ${MOST}, as \`census dead-letters list\` has them; without their contents.`,
  responses: {
    "200": json(
      "The dead letters",
      object(
        {
          total: count,
          letters: {
            type: "array",
            items: object(
              { name: text, command: text, version: count, certname: text, received: text, size: count, reason: text },
              "name",
              "command",
              "version",
              "certname",
              "received",
              "size",
              "reason",
            ),
          },
        },
        "total",
        "letters",
      ),
    ),
  },
} as const;
