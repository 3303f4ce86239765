import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { defaultLimits, limit, type RequestLimits } from "#app/listeners/limits.ts";

/** What a client gets that sends a piece of a request and then nothing, until the connection is ended for it. */
async function sendPart(part: string, limits: Partial<RequestLimits>): Promise<string> {
  const server = createServer({ connectionsCheckingInterval: 10 }, (request, response) => {
    request.on("end", () => response.end()).resume();
  });
  limit(server, { ...defaultLimits, ...limits });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(part);
  const [statusLine = ""] = (await buffer(socket)).toString().split("\r\n");
  server.close();
  return statusLine;
}

describe("a request that is sent too slowly", () => {
  it.each<[what: string, part: string, limits: Partial<RequestLimits>, expected: string]>([
    ["headers", "GET / HTTP/1.1\r\nHost: a\r\n", { headersMs: 20 }, "HTTP/1.1 408 Request Timeout"],
    ["nothing at all", "", { headersMs: 20 }, "HTTP/1.1 408 Request Timeout"],
    [
      "body",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1",
      { requestMs: 20 },
      "HTTP/1.1 408 Request Timeout",
    ],
    ["next one", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", { idleMs: 1 }, "HTTP/1.1 200 OK"],
  ])("ends its connection: %s", async (_, part, limits, expected) => {
    expect(await sendPart(part, limits)).toBe(expected);
  });
});
