import { Agent, request, type IncomingMessage } from "node:http";
import { gunzip } from "node:zlib";
import { promisify } from "node:util";
import { CensusError } from "#storage/errors.ts";
import type { Answer, RecordedRequest } from "./recording.ts";

/** How long one answer may take, in ms: longer than the wait that any recorded command requests. */
const ANSWER_WITHIN = 120_000;

/** A connection to the server under test. Nothing is added to a request, and nothing is followed or retried. */
export interface Client {
  /** @throws Error when the connection fails or nothing arrives in time */
  send(request: RecordedRequest): Promise<Answer>;
  close(): void;
}

/**
 * Opens a client for a server such as `http://127.0.0.1:8080`, over one kept connection per request in flight.
 * @throws CensusError when `url` is no http URL
 */
export function openClient(url: string): Client {
  const base = URL.parse(url);
  if (base?.protocol !== "http:") throw new CensusError("bad-input", `no http URL: ${url}`);
  const agent = new Agent({ keepAlive: true });
  const prefix = base.pathname.replace(/\/$/, "");
  return {
    send: async (recorded) => answerOf(await exchange(base, prefix, agent, recorded)),
    close: () => agent.destroy(),
  };
}

function exchange(base: URL, prefix: string, agent: Agent, recorded: RecordedRequest): Promise<IncomingMessage> {
  const { method, path, headers, body } = recorded;
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname: base.hostname,
        port: base.port,
        agent,
        method,
        path: prefix + path,
        headers: { ...headers, ...length },
        timeout: ANSWER_WITHIN,
      },
      resolve,
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`nothing arrived for ${ANSWER_WITHIN / 1000} s`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function answerOf(message: IncomingMessage): Promise<Answer> {
  const raw = Buffer.concat(await message.toArray());
  const zipped = message.headers["content-encoding"] === "gzip" && raw.length > 0;
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: (zipped ? await promisify(gunzip)(raw) : raw).toString("utf8"),
  };
}
