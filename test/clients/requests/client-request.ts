import type { ZodType } from "zod";
import type { JsonObject } from "#storage/json.ts";

/** A request that a client is known to make, and what it reads of the answer (`reference/clients.md`). */
export interface ClientRequest {
  /** What the client wants with it. */
  readonly what: string;
  readonly method: "GET" | "POST";
  /** As in the request line, with the query string. */
  readonly path: string;
  /** Beside those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: 200. */
  readonly status?: number;
  /** JSON with the fields and types that the client reads, or a text. */
  readonly answer: ZodType | RegExp;
  /** Headers that the client reads, in lower case. */
  readonly answerHeaders?: Readonly<Record<string, RegExp>>;
}

/** The requests of one client. */
export interface RecordedClient {
  readonly client: string;
  /** What it sends with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly ClientRequest[];
}

type More = Pick<ClientRequest, "headers" | "status" | "answerHeaders">;

/** A GET with parameters in its URL. */
export function get(
  what: string,
  path: string,
  parameters: Readonly<Record<string, string>>,
  answer: ClientRequest["answer"],
  more: More = {},
): ClientRequest {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { what, method: "GET", path: pairs.length === 0 ? path : `${path}?${pairs.join("&")}`, answer, ...more };
}

/** A POST; what is no text is sent as JSON. */
export function post(
  what: string,
  path: string,
  body: string | JsonObject | readonly JsonObject[],
  answer: ClientRequest["answer"],
  more: More = {},
): ClientRequest {
  return { what, method: "POST", path, body: typeof body === "string" ? body : JSON.stringify(body), answer, ...more };
}
