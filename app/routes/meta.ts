import type { Clock } from "#storage/time.ts";
import { formatTimestamp } from "#storage/time.ts";
import { mediaRefusal } from "../http/negotiation.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, notFound, prettyJsonResponse } from "../http/response.ts";
import type { Route, RouteTable } from "../http/route.ts";
import { json, mediaReplies, object } from "../openapi/replies.ts";
import type { Schema } from "../openapi/types.ts";
import { interfaceVersion } from "../version.ts";

/** What `/pdb/meta` works with. */
export interface MetaServices {
  readonly store: { readonly clock: Clock };
}

const text = { type: "string" } as const;

/** `/pdb/meta/v1/**`, by any method (`reference/http.md §1.1`). Not metered, because clients poll it. */
export const metaRoutes: RouteTable<MetaServices> = {
  routes: [
    document("version", "The version of PuppetDB's interface", { version: text }, () => ({
      version: interfaceVersion,
    })),
    document(
      "version/latest",
      "The newest version that is known; no other server is queried",
      { newer: { type: "boolean" }, version: text, link: { type: ["string", "null"] } },
      () => ({ newer: false, version: interfaceVersion, link: null }),
    ),
    document("server-time", "The server's clock", { server_time: { ...text, format: "date-time" } }, (clock) => ({
      server_time: formatTimestamp(clock.now()),
    })),
  ],
  fallbacks: [
    {
      below: "/pdb/meta",
      methods: "any",
      family: "status",
      metered: undefined,
      handle: (_, { message, path }) => mediaRefusal(message, path) ?? notFound(),
    },
  ],
};

/** A document below `/pdb/meta/v1`. */
function document(
  name: string,
  summary: string,
  properties: Readonly<Record<string, Schema>>,
  content: (clock: Clock) => unknown,
): Route<MetaServices> {
  const reply = json("The document", object(properties, ...Object.keys(properties)));
  return {
    path: `/pdb/meta/v1/${name}`,
    methods: "any",
    family: "status",
    metered: undefined,
    describe: () => ({ get: { summary, responses: { "200": reply, ...mediaReplies } } }),
    handle: ({ store }, { message, path }: HttpRequest): HttpResponse =>
      mediaRefusal(message, path) ?? prettyJsonResponse(content(store.clock)),
  };
}
