import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";

/** The answers that are under way on a connection. Under TLS the socket is the bare one below the encrypted one. */
interface Connection {
  readonly socket: Socket;
  readonly answers: Set<ServerResponse>;
}

/**
 * Follows the connections of a server so that it can be ended without cutting an answer short. The function returned
 * stops accepting, ends idle connections, lets running answers finish, and after `graceMs` ends what is left.
 */
export function drainable(server: Server): (graceMs: number) => Promise<void> {
  const connections = new Map<string, Connection>();
  let closing = false;
  const follow = (socket: Socket): Connection => {
    const ends = endsOf(socket);
    const connection: Connection = { socket, answers: new Set() };
    connections.set(ends, connection);
    socket.on("close", () => {
      if (connections.get(ends) === connection) connections.delete(ends);
    });
    return connection;
  };
  server.on("connection", follow);
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const { answers } = connections.get(endsOf(socket)) ?? follow(socket);
    answers.add(response);
    if (closing) response.shouldKeepAlive = false;
    response.on("close", () => {
      answers.delete(response);
      if (closing && answers.size === 0) socket.destroySoon();
    });
  });
  return async (graceMs) => {
    closing = true;
    const closed = stopAccepting(server);
    for (const { socket, answers } of connections.values()) {
      if (answers.size === 0) socket.destroy();
      for (const response of answers) response.shouldKeepAlive = false;
    }
    const timer = setTimeout(() => {
      server.closeAllConnections();
      for (const { socket } of connections.values()) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  };
}

/**
 * Resolves when the last connection is gone. An HTTP server's own `close` destroys connections whose answer is handed
 * over but not yet written to its end, so it is only asked once nothing is open: to stop its timer.
 */
async function stopAccepting(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  server.close(() => undefined);
}

/** Names a connection by both its ends, which its two sockets have in common where it is encrypted. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
