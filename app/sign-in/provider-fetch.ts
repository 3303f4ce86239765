import { request } from "node:https";

/** What a request to a provider may take, in milliseconds, and what its response may have, in bytes. */
const TIME = 10_000;
const MOST_BYTES = 1024 * 1024;

/** The part of `fetch` that the library for OpenID Connect uses. */
type ProviderFetch = (
  url: string,
  options: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown },
) => Promise<Response>;

/**
 * A `fetch` that trusts an authority of the site, which Node's own cannot. It follows no redirects.
 * @param ca PEM; undefined: the authorities that Node trusts
 */
export function providerFetch(ca: string | undefined): ProviderFetch {
  return async (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(TIME);
      const options = { method, headers, signal, agent: false, ...(ca === undefined ? {} : { ca }) };
      const outgoing = request(url, options, (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        incoming.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > MOST_BYTES) incoming.destroy(new Error("the response of the provider is too large"));
          else chunks.push(chunk);
        });
        incoming.on("error", reject);
        incoming.on("end", () => {
          const { statusCode: status = 0, headers: received } = incoming;
          const hasBody = status !== 204 && status !== 205 && status !== 304;
          resolve(new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers: textsOf(received) }));
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body instanceof URLSearchParams || typeof body === "string" ? body.toString() : undefined);
    });
}

function textsOf(headers: NodeJS.Dict<string | string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}
