import type { Operation, Paths, Reply } from "./types.ts";

/** What a browser shows, and this description. */
export function pagePaths(): Paths {
  return {
    "/": { get: redirection },
    "/pdb": { get: redirection },
    "/pdb/dashboard/index.html": {
      get: {
        summary: "The overview page",
        responses: { "200": { description: "The page", content: { "text/html": { schema: { type: "string" } } } } },
      },
    },
    "/openapi.json": {
      get: {
        summary: "This description",
        responses: {
          "200": { description: "OpenAPI 3.1", content: { "application/json": { schema: { type: "object" } } } },
        },
      },
    },
  };
}

const moved: Reply = {
  description: "To the overview page",
  headers: { Location: { description: "Where it is", schema: { type: "string" } } },
};

const redirection: Operation = { summary: "To the overview page", responses: { "302": moved } };
