import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { endRequests, requestsEnded } from "../listeners/last-request.ts";
import type { ListenerLog } from "../listeners/log.ts";
import { defaultHeaders } from "./default-headers.ts";
import type { FaultListener } from "./fault.ts";
import { headProblem } from "./head.ts";
import { withoutCode } from "./request.ts";
import { type HttpResponse, textResponse } from "./response.ts";
import { sendResponse } from "./send.ts";

/** Answers requests. {@link entrance} catches its errors, and the rejection of its promise if it returns one. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Receives every request of every listener and catches whatever is thrown, so that no request ends the process.
 * @param handler answers requests, {@link validHeads} first
 * @param onFault notified of the handler's errors
 */
export function entrance(handler: Handler, onFault?: FaultListener): RequestListener {
  return (request, response) => {
    const fail = (error: unknown): void => {
      onFault?.(error, `${request.method ?? ""} ${withoutCode(request.url ?? "")}`);
      cutOr500(response);
    };
    try {
      // Bytes after a refused head may be its body or another request.
      if (requestsEnded(request.socket)) return;
      // Without a listener, writing to a client that has disconnected would be an uncaught exception.
      response.on("error", () => response.destroy());
      for (const name in defaultHeaders) response.setHeader(name, defaultHeaders[name] ?? "");
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
    return refuse(response, textResponse(problem, 400));
  };
}

/** Answers without reading the body, and closes the connection: bytes that follow cannot be trusted to be a request. */
function refuse(response: ServerResponse, refusal: HttpResponse): void {
  response.shouldKeepAlive = false;
  endRequests(response.req.socket);
  void sendResponse(response, refusal);
}

/** A response that has begun is closed, so that no client takes it for complete. */
function cutOr500(response: ServerResponse): void {
  try {
    if (response.headersSent) response.destroy();
    else refuse(response, textResponse("An unexpected error occurred", 500));
  } catch {
    response.destroy();
  }
}
