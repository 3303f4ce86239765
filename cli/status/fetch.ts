import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";

/** Whom to ask, and as whom. */
export interface Contact {
  /** e.g. `https://census.example.com:8081`; what is asked for is below it. */
  readonly url: URL;
  /** Seconds that an answer may take. */
  readonly timeout: number;
  /** PEM: what is shown to a server that wants to know who asks, and the authority that it is believed by. */
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

export interface Fetched {
  readonly status: number;
  readonly body: string;
}

/**
 * Gets a path of a server.
 * @throws the error of the connection; a TimeoutError when it takes too long
 */
export async function fetchPath({ url, timeout, ...identity }: Contact, path: string): Promise<Fetched> {
  const target = new URL(url);
  const [pathname = "", search = ""] = path.split("?");
  target.pathname = url.pathname.replace(/\/+$/, "") + pathname;
  target.search = search;
  const signal = AbortSignal.timeout(timeout * 1000);
  const send = target.protocol === "https:" ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { agent: false, signal, headers: { accept: "application/json, */*" }, ...identity };
    send(target, options, resolve).once("error", reject).end();
  });
  return { status: response.statusCode ?? 0, body: await text(response) };
}
