import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Identity } from "#test/certificates.ts";

/** What a webhook posts. */
export interface Delivery {
  readonly id: string;
  readonly sequence: number;
  readonly added: readonly Record<string, unknown>[];
  readonly removed: readonly Record<string, unknown>[];
}

/** A receiver of webhooks on a free port, and what it was sent. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly deliveries: Delivery[];
  readonly headers: IncomingHttpHeaders[];
  /** Called before each answer; returns its status. */
  answer: (delivery: Delivery) => number | Promise<number>;
}

/**
 * Checks signatures as `docs/watch.md` says, and answers 401 to a wrong one.
 * @param identity the certificate of a receiver with TLS; absent: plain HTTP
 */
export async function startReceiver(secret: string, identity?: Identity): Promise<Receiver> {
  const listener = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response);
  const server = identity === undefined ? createServer(listener) : createSecureServer(identity, listener);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = request.headers;
    const expected = createHmac("sha256", secret)
      .update(`${String(id)}.${String(timestamp)}.${body}`)
      .digest();
    const given = Buffer.from(String(signature).replace(/^v1,/, ""), "base64");
    const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
    if (given.length !== expected.length || !timingSafeEqual(given, expected) || !isRecent) {
      response.writeHead(401).end();
      return;
    }
    const delivery = JSON.parse(body) as Delivery;
    receiver.deliveries.push(delivery);
    receiver.headers.push(request.headers);
    response.writeHead(await receiver.answer(delivery)).end();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: Receiver = {
    url: `${identity === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries: [],
    headers: [],
    answer: () => 204,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}
