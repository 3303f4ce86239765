import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, jsonResponse, notFound, textResponse } from "../http/response.ts";
import type { Route, RouteTable } from "../http/route.ts";
import { peerOf } from "../listeners/peer.ts";
import { json, object, plain } from "../openapi/replies.ts";
import type { Operation } from "../openapi/types.ts";
import type { People } from "../sign-in/people.ts";
import type { SignIn } from "../sign-in/sign-in.ts";

/** What the pages for signing in work with. */
export interface SignInServices {
  /** Absent: neither tokens nor people are recognised. */
  readonly signIn?: SignIn | undefined;
}

const html = { "text/html": { schema: { type: "string" } } } as const;
const elsewhere = { description: "To another page", headers: {} } as const;

/** Signing in and out, and who is signed in. Other listeners than the one for people answer 404. */
export const signInRoutes: RouteTable<SignInServices> = {
  routes: [
    route("/sign-in", ["GET", "POST"], pageOperations, (people, request) =>
      request.message.method === "POST" ? people.answerForm(request) : people.answerPage(request),
    ),
    route(
      "/sign-in/oidc",
      ["GET"],
      () => ({ get: beginOperation }),
      (people, request) => people.beginAtProvider(request),
    ),
    route(
      "/sign-in/callback",
      ["GET"],
      () => ({ get: callbackOperation }),
      (people, request) => people.answerCallback(request),
    ),
    route(
      "/sign-out",
      ["POST"],
      () => ({ post: signOutOperation }),
      (people, request) => people.signOut(request),
    ),
    {
      ...route(
        "/explorer/api/v1/session",
        ["GET"],
        () => ({ get: sessionOperation }),
        (people, { message }) => {
          const found = people.identify(message);
          if (found === undefined || "reason" in found) return textResponse("Nobody", 404);
          const { name, kind, role = null, groups, until } = found;
          const ends = until === undefined ? null : new Date(until).toISOString();
          return jsonResponse({ name, kind, role, groups, until: ends });
        },
      ),
      isOpen: false,
    },
  ],
};

function route(
  path: string,
  methods: readonly string[],
  describe: Route<SignInServices>["describe"],
  handle: (people: People, request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
): Route<SignInServices> {
  return {
    path,
    methods,
    family: "pages",
    metered: undefined,
    feature: "sign-in",
    isOpen: true,
    describe,
    handle: ({ signIn: { people } = {} }, request) =>
      people === undefined || peerOf(request.message).listener !== "people" ? notFound() : handle(people, request),
  };
}

function pageOperations(): ReturnType<Route<SignInServices>["describe"]> {
  return {
    get: {
      summary: "The page on which people sign in",
      responses: { "200": { description: "The page", content: html } },
    },
    post: {
      summary: "Sign in with a password",
      responses: {
        "303": elsewhere,
        "401": { description: "User name or password is wrong", content: html },
        "429": { description: "Too many attempts", content: html },
      },
    },
  };
}

const beginOperation: Operation = {
  summary: "Sign in at the OpenID Connect provider",
  responses: { "303": elsewhere },
};

const callbackOperation: Operation = {
  summary: "Where the provider sends people back",
  responses: { "303": elsewhere },
};

const signOutOperation: Operation = { summary: "Sign out", responses: { "303": elsewhere } };

const text = { type: "string" } as const;

const sessionOperation: Operation = {
  summary: "Who is signed in",
  responses: {
    "200": json(
      "Who is signed in",
      object(
        {
          name: text,
          kind: { enum: ["user", "sso", "proxy"] },
          role: { type: ["string", "null"] },
          groups: { type: "array", items: text },
          until: {
            type: ["string", "null"],
            format: "date-time",
            description: "When the session ends unless it is used",
          },
        },
        "name",
        "kind",
        "role",
        "groups",
        "until",
      ),
    ),
    "404": plain("A token or nobody"),
  },
};
