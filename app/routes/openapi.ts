import { jsonTextResponse } from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";

/** What describes the interface. */
export interface DescriptionServices {
  /** The OpenAPI document of the routes that are switched on, as JSON; made on first use. */
  readonly openApi: () => string;
}

/** `GET /openapi.json`: the description of the interface. */
export const openApiRoutes: RouteTable<DescriptionServices> = {
  routes: [
    {
      path: "/openapi.json",
      anySpelling: true,
      methods: "any",
      family: "status",
      metered: undefined,
      describe: () => ({
        get: {
          summary: "This description",
          responses: {
            "200": { description: "OpenAPI 3.1", content: { "application/json": { schema: { type: "object" } } } },
          },
        },
      }),
      handle: ({ openApi }) => jsonTextResponse(openApi()),
    },
  ],
};
