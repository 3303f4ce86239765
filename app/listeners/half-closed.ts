import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerBare } from "./bare-answer.ts";

/** Milliseconds between two probes of a client that has closed its sending side. */
const PROBE_MS = 250;

/** Milliseconds to wait for the response to a client of HTTP/1.0, which cannot be probed. */
const PATIENCE_MS = 10_000;

/**
 * Lets a client that closes its sending side after a request read the response. It looks like a client that has
 * disconnected, so `100 Continue` is sent at intervals. A client ignores it; if the client has disconnected, its system
 * resets the connection, which ends the work for the response.
 * @param answers the responses in progress on the connection
 */
export function awaitHalfClosed(socket: Socket, answers: ReadonlySet<ServerResponse>): void {
  socket.once("end", () => {
    if (answers.size === 0) return;
    // Node's parser reports neither a malformed nor an incomplete body of a request with `Upgrade`.
    if (
      [...answers].some(({ req, headersSent }) => !req.complete && req.headers.upgrade !== undefined && !headersSent)
    ) {
      answerBare(socket, 400);
      return;
    }
    const ended = performance.now();
    const timer = setInterval(() => {
      for (const response of answers) {
        if (response.headersSent || response.socket === null) continue;
        if (response.req.httpVersion !== "1.0") response.writeContinue();
        else if (performance.now() - ended > PATIENCE_MS) socket.destroy();
      }
    }, PROBE_MS).unref();
    socket.once("close", () => clearInterval(timer));
  });
}
