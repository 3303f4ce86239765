import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Milliseconds between two signs of life that a client is sent which has closed its side. */
const PROBE_MS = 250;

/** Milliseconds that a client of HTTP/1.0, which knows no interim answers, is waited for. */
const PATIENCE_MS = 10_000;

/**
 * Lets a client that closes its sending side after a request read the answer. It looks just like one that has gone: so it is
 * sent `100 Continue` now and then, which a client ignores and the system of one that has gone refuses, which ends the
 * connection and with it the work for the answer.
 * @param answers those that are under way on the connection
 */
export function awaitHalfClosed(socket: Socket, answers: ReadonlySet<ServerResponse>): void {
  socket.once("end", () => {
    if (answers.size === 0) return;
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
