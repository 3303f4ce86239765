import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { CensusError, messageOf } from "#storage/errors.ts";
import { UsageError } from "../errors.ts";
import type { Rows } from "../output/writers.ts";
import { arrayElements } from "./array-elements.ts";

/** Characters of a request's URL beyond which the question goes into the body. */
const LONGEST_URL = 4000;
/** Characters of an error's text that are repeated. */
const LONGEST_ERROR = 1000;

/** What the network says, in words. */
const networkErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing answers there; start a server with census serve, or name a source: --archive, --data or --url",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name cannot be looked up",
  ECONNRESET: "the connection was cut",
  ETIMEDOUT: "the host does not answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
};

/**
 * Puts a question to a server, ours or the peer's, and waits for its answer to begin.
 * @param base e.g. `http://127.0.0.1:8080`
 * @throws CensusError "bad-input" when the server refuses the question (400), else "bad-file" or "not-found"
 */
export async function askServer(base: string, question: string): Promise<Rows> {
  const url = endpoint(base);
  url.searchParams.set("query", question);
  const isLong = url.href.length > LONGEST_URL;
  if (isLong) url.search = "";
  const response = await send(base, url, isLong ? JSON.stringify({ query: question }) : undefined);
  const body = unpacked(response);
  if (response.statusCode !== 200) throw await refusal(base, response.statusCode ?? 0, body);
  return rowsOf(base, body);
}

function endpoint(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url must be an address such as http://127.0.0.1:8080, not ${JSON.stringify(base)}`);
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/pdb/query/v4`;
  return url;
}

/** No time limit of ours: the server has one for queries. */
async function send(base: string, url: URL, body: string | undefined): Promise<IncomingMessage> {
  const options: RequestOptions = {
    method: body === undefined ? "GET" : "POST",
    agent: false,
    headers: {
      accept: "application/json",
      "accept-encoding": "gzip",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options, resolve);
    request.on("error", (error) => reject(unreachable(base, error)));
    request.end(body);
  });
}

function unpacked(response: IncomingMessage): NodeJS.ReadableStream {
  if (response.headers["content-encoding"] !== "gzip") return response;
  const gunzip = createGunzip();
  response.on("error", (error) => gunzip.destroy(error));
  gunzip.on("close", () => response.destroy());
  return response.pipe(gunzip);
}

async function* rowsOf(base: string, body: NodeJS.ReadableStream): AsyncGenerator<string[]> {
  try {
    body.setEncoding("utf8");
    yield* arrayElements(body as AsyncIterable<string>);
  } catch (error) {
    throw error instanceof SyntaxError
      ? new CensusError("bad-file", `${base}: the answer is no JSON array, or was cut off: ${error.message}`)
      : unreachable(base, error);
  }
}

async function refusal(base: string, status: number, body: NodeJS.ReadableStream): Promise<CensusError> {
  const said = (await text(body as AsyncIterable<string>).catch(messageOf)).slice(0, LONGEST_ERROR);
  if (status === 400) return new CensusError("bad-input", said);
  return new CensusError(status === 404 ? "not-found" : "bad-file", `${base} answered ${status}: ${said}`);
}

function unreachable(base: string, error: unknown): Error {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  return new CensusError("bad-file", `${base}: ${networkErrors[code] ?? (messageOf(error) || code)}`, { cause: error });
}
