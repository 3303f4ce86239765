import { createHash } from "node:crypto";
import { CensusError } from "#storage/errors.ts";
import { type Assets, assetsPath } from "../explorer/asset.ts";
import { openAssets } from "../explorer/assets.ts";
import { apiRoot, type Endpoint } from "../explorer/api/endpoint.ts";
import { endpoints } from "../explorer/api/index.ts";
import { assetHeaders, pageHeaders } from "../explorer/headers.ts";
import type { ExplorerServices } from "../explorer/services.ts";
import { shell } from "../explorer/shell.ts";
import { acceptsGzip } from "../http/accept.ts";
import { unlessKnown } from "../http/conditional.ts";
import type { HttpRequest } from "../http/request.ts";
import { contentType, type HttpResponse, textResponse } from "../http/response.ts";
import { peerOf } from "../listeners/peer.ts";
import type { Fallback, Route, RouteTable } from "../http/route.ts";
import { plain } from "../openapi/replies.ts";
import type { Operation } from "../openapi/types.ts";

const root = "/explorer";

const reading = ["GET", "HEAD"] as const;

const noFile = "There is no such file; if the service was updated, reload the page";

/**
 * The page at each address below `/explorer`, the files that it loads, and no data: it opens while a store is loaded
 * too.
 */
export const explorerPageRoutes: RouteTable<unknown> = {
  routes: [
    {
      path: `${root}/`,
      methods: reading,
      refuseMethod: refuse(reading),
      family: "pages",
      metered: root,
      feature: "explorer",
      describe: () => ({ get: page }),
      handle: (_, request) => answerPage(request),
    },
    {
      path: `${assetsPath}/:name`,
      methods: reading,
      refuseMethod: refuse(reading),
      family: "pages",
      metered: assetsPath,
      feature: "explorer",
      describe: () => ({ get: file }),
      handle: (_, request) => answerAsset(request),
    },
  ],
  fallbacks: [
    {
      below: root,
      methods: reading,
      refuseMethod: refuse(reading),
      family: "pages",
      metered: root,
      feature: "explorer",
      handle: (_, request) => answerPage(request),
    },
    missing(assetsPath, "pages", noFile),
  ],
};

/** The data of the pages. */
export const explorerApiRoutes: RouteTable<ExplorerServices> = {
  routes: endpoints.map(routeOf),
  fallbacks: [missing(`${root}/api`, "query", "There is no such endpoint; /openapi.json describes all of them")],
};

function routeOf({
  hasHead = false,
  isEndless = false,
  family = "query",
  ...endpoint
}: Endpoint): Route<ExplorerServices> {
  const methods = ["GET", ...(hasHead ? ["HEAD"] : []), "POST"];
  const [name = ""] = endpoint.path.split("/");
  return {
    ...endpoint,
    path: `${apiRoot}/${endpoint.path}`,
    methods,
    refuseMethod: refuse(methods),
    family,
    metered: isEndless ? undefined : `${apiRoot}/${name}`,
    feature: "explorer",
  };
}

/** Every address has a page; the program in it finds what to show, or shows that there is nothing. */
async function answerPage({ message, path }: HttpRequest): Promise<HttpResponse> {
  return withAssets(true, ({ entries }) => {
    const body = shell(entries, path, peerOf(message).listener === "people");
    const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
    const headers = { ...pageHeaders, "content-type": contentType.html, etag };
    return unlessKnown(message, { status: 200, headers, body });
  });
}

async function answerAsset({ message, segments: { name = "" } }: HttpRequest): Promise<HttpResponse> {
  return withAssets(false, (assets) => {
    const asset = assets.find(name);
    if (asset === undefined) return textResponse(noFile, 404);
    const isZipped = acceptsGzip(message);
    return unlessKnown(message, {
      status: 200,
      headers: {
        ...assetHeaders,
        "content-type": asset.type,
        // Weak, as the bytes differ by their compression.
        etag: `W/"${name}"`,
        vary: "Accept-Encoding",
        ...(isZipped ? { "content-encoding": "gzip" } : {}),
      },
      body: isZipped ? asset.gzip() : asset.plain(),
    });
  });
}

/** Only from source the files can be unusable: then the response says why, for whoever works on them. */
async function withAssets(isPage: boolean, answer: (assets: Assets) => HttpResponse): Promise<HttpResponse> {
  try {
    return answer(await openAssets(isPage));
  } catch (error) {
    if (error instanceof CensusError && error.code === "bad-file") return textResponse(error.message, 500);
    throw error;
  }
}

function refuse(methods: readonly string[]): () => HttpResponse {
  return () => {
    const { status, headers, body } = textResponse(`Use ${methods.join(" or ")}`, 405);
    return { status, headers: { ...headers, allow: methods.join(", ") }, body };
  };
}

function missing(below: string, family: "pages" | "query", text: string): Fallback<unknown> {
  return { below, methods: "any", family, metered: below, feature: "explorer", handle: () => textResponse(text, 404) };
}

const html = { "text/html": { schema: { type: "string" } } } as const;

const page: Operation = {
  summary: "The explorer: pages that show what is stored",
  description:
    "Every other path below `/explorer` that is neither a file nor an endpoint answers the same page; only the files that it loads in advance differ.",
  responses: { "200": { description: "The page, which contains no data", content: html } },
};

const file: Operation = {
  summary: "A file that the explorer's page loads",
  parameters: [
    {
      name: "name",
      in: "path",
      required: true,
      description: "The file's name with a hash of its content",
      schema: { type: "string" },
    },
  ],
  responses: {
    "200": { description: "The file", content: { "text/javascript": { schema: { type: "string" } } } },
    "404": plain("There is no such file"),
  },
};
