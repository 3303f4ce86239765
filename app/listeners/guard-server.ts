import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { messageOf } from "#storage/errors.ts";
import { defaultHeaders } from "../http/default-headers.ts";
import { textResponse } from "../http/response.ts";
import { sendResponse } from "../http/send.ts";
import { answerBare } from "./bare-answer.ts";
import { endRequests } from "./last-request.ts";
import type { ListenerLog } from "./log.ts";

/** Errors of Node's parser that have a status of their own; the others get 400. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Handles what a server reports besides requests, so that none of it becomes an uncaught exception: bytes that are not
 * HTTP, tunnels and expectations that are not supported, connections that cannot be accepted.
 */
export function guardServer(server: Server, log: ListenerLog): void {
  // Requests without a host are answered in app/http/entrance.ts.
  Object.assign(server, { requireHostHeader: false });
  server.on("error", (error) => log.warn(`a connection could not be accepted: ${messageOf(error)}`));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => answerUnreadable(error, socket, log));
  server.on("connect", (_: IncomingMessage, socket: Socket) => answerBare(socket, 405));
  server.on("checkExpectation", (_: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    void sendResponse(response, textResponse("Expectation Failed", 417), defaultHeaders);
  });
}

/**
 * Responds to errors of the parser only: after an error of TLS or the connection nobody could read a response. Earlier
 * requests on the connection still get their responses.
 */
function answerUnreadable(
  { code = "", message }: NodeJS.ErrnoException,
  socket: Socket & { readonly _httpMessage?: ServerResponse },
  log: ListenerLog,
): void {
  const isOfHttp = code.startsWith("HPE_") || code.startsWith("ERR_HTTP_");
  if (!isOfHttp || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? 400;
  // Do not log idle connections, which are not errors.
  if (status !== 408) log.warn(`request from ${socket.remoteAddress ?? "a disconnected client"} refused: ${message}`);
  const answering = socket._httpMessage;
  if (answering?.req.complete === true) {
    endRequests(socket);
    answering.shouldKeepAlive = false;
  } else if (answering?.headersSent === true) {
    socket.destroy();
  } else {
    answerBare(socket, status);
  }
}
