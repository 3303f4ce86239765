import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { endRequests, requestsEnded } from "../listeners/last-request.ts";
import type { ListenerLog } from "../listeners/log.ts";
import { type Answer, inText, send } from "./answer.ts";
import type { FaultListener } from "./fault.ts";
import { headProblem } from "./head.ts";
import { usualHeaders } from "./usual-headers.ts";

/** Answers requests. {@link entrance} catches what it throws, and what its promise is rejected with if it returns one. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * The one way in for every request of every listener: it catches whatever is thrown, so that no request ends the process.
 * @param handler what answers requests, {@link validHeads} first
 * @param onFault notified of what the handler throws
 */
export function entrance(handler: Handler, onFault?: FaultListener): RequestListener {
  return (request, response) => {
    const fail = (error: unknown): void => {
      onFault?.(error, `${request.method ?? ""} ${request.url ?? ""}`);
      cutOr500(response);
    };
    try {
      // Bytes behind a refused head may be its body as well as a request.
      if (requestsEnded(request.socket)) return;
      // Without a listener, writing to a client that has gone would be an uncaught exception.
      response.on("error", () => response.destroy());
      for (const name in usualHeaders) response.setHeader(name, usualHeaders[name] ?? "");
      const answered = handler(request, response);
      if (answered instanceof Promise) answered.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** Answers requests whose heads are not valid, so that neither the framework nor a route sees them. */
export function validHeads(handler: Handler, log: ListenerLog): Handler {
  return (request, response) => {
    const problem = headProblem(request);
    if (problem === undefined) return handler(request, response);
    log.warn(`request from ${request.socket.remoteAddress ?? "a client that is gone"} refused: ${problem}`);
    return refuse(response, inText(problem, 400));
  };
}

/** Answers without having read the body, and closes the connection: what follows on it cannot be trusted. */
function refuse(response: ServerResponse, answer: Answer): void {
  response.shouldKeepAlive = false;
  endRequests(response.req.socket);
  send(response, answer);
}

/** An answer that has begun is cut, so that no client takes it for complete. */
function cutOr500(response: ServerResponse): void {
  try {
    if (response.headersSent) response.destroy();
    else refuse(response, inText("An unexpected error occurred", 500));
  } catch {
    response.destroy();
  }
}
