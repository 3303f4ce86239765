import { formatTimestamp } from "#storage/time.ts";
import { json } from "../../openapi/replies.ts";
import { answerReadably, plainAnswer } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";
import { shapes } from "./shapes.ts";

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
      return plainAnswer<"dead-letters">({ total, letters: listed });
    }),
};

const operation = {
  summary: "Commands that could not be stored",
  description: `The newest ${MOST}, as \`census dead-letters list\` has them; without their contents.`,
  responses: {
    "200": json("The dead letters", shapes["dead-letters"]),
  },
} as const;
