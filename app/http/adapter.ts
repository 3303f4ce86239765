import type { IncomingMessage, ServerResponse } from "node:http";
import { H3, type H3Event } from "h3";
import { toNodeHandler } from "h3/node";
import { FastResponse } from "srvx";
import type { Allowance } from "#storage/memory/allowance.ts";
import type { HttpMetrics } from "#storage/metrics/families/http.ts";
import { type Access, accessRefusal } from "../access/access.ts";
import type { ListenerLog } from "../listeners/log.ts";
import { measure } from "../metrics/measure.ts";
import { admitBody } from "./bodies.ts";
import type { Handler } from "./entrance.ts";
import { faultResponse, type FaultListener } from "./fault.ts";
import { targetOf } from "./request.ts";
import { type HttpResponse, notFound, textResponse } from "./response.ts";
import type { Match, Router } from "./router.ts";
import { sendResponse } from "./send.ts";

/** The layer between Node's server and the routes. */
export interface AdapterOptions<Services> {
  readonly router: Router<Services>;
  readonly services: Services;
  readonly access: Access;
  readonly log: ListenerLog;
  readonly http: HttpMetrics;
  /** Memory for request bodies, in bytes. */
  readonly bodies: Allowance;
  readonly onFault?: FaultListener | undefined;
}

/** A request, where it leads, and the path that access rules look at. */
interface Exchange<Services> {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly match: Match<Services>;
  readonly accessPath: string;
}

/**
 * Handles requests of Node's server: finds the route, counts the response, applies the access rules, reserves memory
 * for the body, calls the route's handler and sends what it returns. No other file knows the HTTP framework.
 *
 * A path that is exactly that of a route, as those of commands and of most queries are, goes to it at once: the
 * framework would take 15 to 20 µs for each request. For all others it resolves dots and escapes, and refuses malformed
 * ones.
 */
export function nodeHandler<Services>(options: AdapterOptions<Services>): Handler {
  const { router } = options;
  const app = new H3({
    silent: true,
    onError: async (error, event) => {
      const { message, response } = nodeOf(event);
      // Handlers' errors are answered in `respond`: this one is the framework's own, for a path with malformed escapes.
      const match = router.find(targetOf(message).path) ?? router.fallback("/");
      measure(options.http, match.metered, response);
      return sent(response, sendResponse(response, textResponse(error.message, error.status)));
    },
  });
  app.all("/**", (event) => {
    const { message, response } = nodeOf(event);
    const { path } = targetOf(message);
    const found = router.find(path);
    const exchange = {
      message,
      response,
      match: found ?? router.fallback(event.url.pathname),
      accessPath: found === undefined ? event.url.pathname : path,
    };
    return sent(response, respond(options, exchange));
  });
  const viaFramework = toNodeHandler(app) as unknown as Handler;
  return (message, response) => {
    const { path } = targetOf(message);
    const match = router.exact(path);
    if (match === undefined) return viaFramework(message, response);
    return respond(options, { message, response, match, accessPath: path });
  };
}

/** Answers a request. Never rejects. */
async function respond<Services>(options: AdapterOptions<Services>, exchange: Exchange<Services>): Promise<void> {
  const { message, response, match } = exchange;
  measure(options.http, match.metered, response);
  try {
    const answering = answer(options, exchange);
    await sendResponse(response, answering instanceof Promise ? await answering : answering);
  } catch (error) {
    const fault = faultResponse(error, message, options.onFault);
    if (response.headersSent) response.destroy();
    else void sendResponse(response, fault);
  }
}

function answer<Services>(
  { access, log, bodies, services }: AdapterOptions<Services>,
  { message, response, match, accessPath }: Exchange<Services>,
): HttpResponse | Promise<HttpResponse> {
  const { endpoint, segments } = match;
  const refusal = accessRefusal(access, log, { message, response }, accessPath, endpoint);
  if (refusal !== undefined) return refusal;
  const request = { message, response, ...targetOf(message), segments };
  const { methods, refuseMethod = notFound } = endpoint;
  if (methods !== "any" && !methods.includes(message.method ?? "")) return refuseMethod(request);
  const admitting = admitBody(bodies, message, response, endpoint.streamsBody === true);
  return admitting === undefined
    ? endpoint.handle(services, request)
    : admitting.then(() => endpoint.handle(services, request));
}

function nodeOf(event: H3Event): { message: IncomingMessage; response: ServerResponse } {
  const { req: message, res: response } = event.runtime?.node ?? {};
  if (message === undefined || response === undefined) throw new Error("the service runs on Node's HTTP server alone");
  return { message: message as unknown as IncomingMessage, response: response as unknown as ServerResponse };
}

/** Marks the response as handled for the framework, which ends it; so this waits until it has been sent. */
async function sent(response: ServerResponse, sending: Promise<void> | undefined): Promise<Response> {
  await sending;
  if (!response.writableEnded && !response.destroyed) {
    await new Promise<void>((resolve) => response.once("close", () => resolve()));
  }
  return new FastResponse(null);
}
