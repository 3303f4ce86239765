import { type Json, parseJson } from "#storage/json.ts";
import type { AnswerPath } from "../../api/shapes.ts";
import { asOfParameter } from "./as-of.ts";
import { leaveIfSignedOut } from "../session/session.ts";
import { signal } from "@preact/signals";

/** A request that was not answered with data. */
export class RequestError extends Error {
  /** Of the response; 0 without connection. */
  readonly status: number;

  /** @param text what the server says, or what happened */
  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }

  /** Whether the same request may succeed later: no connection, too busy, out of time. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 503 || this.status === 504;
  }
}

/** Whether the last request reached the server. */
export const online = signal(true);

/** Values of a parameter; several are sent as the parameter repeated, or as a list. */
export type Parameter = string | number | boolean;

/** A request for JSON from this server. It only ever reads. */
export interface DataRequest {
  /** `/pdb/query/v4` */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, Parameter | readonly Parameter[] | undefined>>;
}

/** A response, read. */
export interface DataResponse {
  readonly value: Json;
  /** Length of the body, bytes. */
  readonly size: number;
  /** Rows without limit, where the request wanted to know (`X-Records`). */
  readonly total: number | undefined;
  /** Time until the body was there, ms. */
  readonly ms: number;
  /** Seconds since it was made, where the data may have changed since; undefined: it is of the present data. */
  readonly age: number | undefined;
}

/** The path of an endpoint of the explorer. @param segment the value of its segment */
export function pathOf(endpoint: AnswerPath, segment = ""): string {
  return `/explorer/api/v1/${endpoint.replace(":id", encodeURIComponent(segment))}`;
}

/** While an archive is being read, the pages show what is there, and how far it is. */
export const incompleteHeader = { "x-census-incomplete": "accept" } as const;

/** Longer addresses are sent as a body: proxies and servers limit them. Characters. */
const LONGEST_URL = 6000;

/** The parameters that are sent: those of the request, and the time whose state the pages show, unless it has its own. */
function sent({ path, parameters }: DataRequest): NonNullable<DataRequest["parameters"]> {
  return { ...asOfParameter(path), ...parameters };
}

/** The request as an address, with the parameters in their order. */
export function urlOf(request: DataRequest): string {
  const { path } = request;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(sent(request))) {
    if (value === undefined) continue;
    for (const one of listOf(value)) search.append(name, String(one));
  }
  const query = search.toString();
  return query === "" ? path : `${path}?${query}`;
}

function listOf(value: Parameter | readonly Parameter[]): readonly Parameter[] {
  return typeof value === "object" ? value : [value];
}

/**
 * Fetches JSON, with exact numbers.
 * @throws RequestError for any other response than 200, without connection, and when a body is not JSON
 * @throws DOMException AbortError when the signal is aborted
 */
export async function fetchJson(request: DataRequest, signal: AbortSignal): Promise<DataResponse> {
  const started = performance.now();
  const { response, text, size } = await send(request, signal);
  leaveIfSignedOut(response);
  if (!response.ok) throw new RequestError(response.status, text === "" ? response.statusText : text);
  const total = response.headers.get("x-records");
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw new RequestError(response.status, "The server sent something that is not JSON.");
  }
  return {
    value,
    size,
    total: total === null ? undefined : Number(total),
    ms: performance.now() - started,
    age: response.headers.has("age") ? Number(response.headers.get("age")) : undefined,
  };
}

async function send(
  request: DataRequest,
  signal: AbortSignal,
): Promise<{ response: Response; text: string; size: number }> {
  const url = urlOf(request);
  try {
    const response =
      url.length <= LONGEST_URL
        ? await fetch(url, { signal, headers: { accept: "application/json", ...incompleteHeader } })
        : await fetch(request.path, {
            signal,
            method: "POST",
            headers: { accept: "application/json", "content-type": "application/json", ...incompleteHeader },
            body: JSON.stringify(sent(request)),
          });
    const bytes = await response.arrayBuffer();
    online.value = true;
    return { response, text: new TextDecoder().decode(bytes), size: bytes.byteLength };
  } catch (error) {
    if (signal.aborted) throw error;
    online.value = false;
    throw new RequestError(0, "No connection to the server.");
  }
}
