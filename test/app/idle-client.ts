import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";

/** A client on a connection of its own that reads the head of the response to a GET; its body is paused. */
export async function idleClient(url: string): Promise<IncomingMessage> {
  const outgoing = request(url, { agent: new Agent() }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  response.pause();
  return response;
}

/** Reads the body to its end, and returns its bytes. */
export async function bytesOf(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const piece of response) bytes += (piece as Buffer).length;
  return bytes;
}
