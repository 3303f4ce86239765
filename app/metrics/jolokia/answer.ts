import { messageOf } from "#storage/errors.ts";
import { isObject, type Json, type JsonObject, parseJson, stringifyJson } from "#storage/json.ts";
import type { AttributeValue, MBeans } from "../mbean.ts";
import { canonicalName, nameMatcher } from "../object-name.ts";
import { JolokiaFailure } from "./failure.ts";
import { list } from "./list.ts";
import { defaultOptions, type ProcessingOptions, readOptions } from "./options.ts";
import { read } from "./read.ts";
import { type JolokiaRequest, nameText, readBodyRequest, readPathRequest } from "./request.ts";

/** One answer, or an array of them for an array of requests; plain JSON. */
export type Envelope = Readonly<Record<string, unknown>>;

export interface Agent {
  readonly beans: MBeans;
  /** seconds since the epoch */
  readonly now: number;
  /** our own version */
  readonly version: string;
}

/** The protocol that is spoken, and the program that defined it (`reference/metrics.md §3`). */
const PROTOCOL = { agent: "1.7.1", protocol: "7.2" } as const;

type Given = Readonly<Record<string, string>>;

/** @param path what follows `/metrics/v2`, decoded; @param given the URL's parameters */
export async function answerGet(agent: Agent, path: string, given: Given): Promise<Envelope> {
  return guarded(() => {
    const requested = /^\/*$/.test(path) ? (given["p"] ?? "") : path;
    return carryOut(agent, readPathRequest(requested, readOptions(given, defaultOptions)));
  });
}

/** Answers a body with a request or an array of requests. */
export async function answerPost(agent: Agent, body: string, given: Given): Promise<Envelope | readonly Envelope[]> {
  try {
    const options = readOptions(given, defaultOptions);
    const requests = requestsIn(body);
    if (isObject(requests)) return await answerBody(agent, requests, options);
    const envelopes: Envelope[] = [];
    for (const request of requests) envelopes.push(await answerBody(agent, request, options));
    return envelopes;
  } catch (error) {
    return failure(error, undefined);
  }
}

/** The envelope of a request that fails. */
export function failureEnvelope(message: string): Envelope {
  return failure(new JolokiaFailure("argument", message), undefined);
}

function requestsIn(body: string): JsonObject | JsonObject[] {
  const parsed = parsedBody(body);
  if (isObject(parsed)) return parsed;
  if (!Array.isArray(parsed)) throw new JolokiaFailure("argument", `Invalid JSON Request ${stringifyJson(parsed)}`);
  return parsed.map((item) => {
    if (isObject(item)) return item;
    const message = `Not a request within the list of requests ${stringifyJson(parsed)}. Expected map, but found: ${stringifyJson(item)}`;
    throw new JolokiaFailure("argument", message);
  });
}

function parsedBody(body: string): Json {
  try {
    return parseJson(body);
  } catch (error) {
    throw new JolokiaFailure("argument", `Invalid JSON request ${messageOf(error)}`, { cause: error });
  }
}

function answerBody(agent: Agent, body: JsonObject, options: ProcessingOptions): Promise<Envelope> {
  return guarded(() => carryOut(agent, readBodyRequest(body, options)));
}

/** A request that cannot be read has an envelope without a request in it. */
async function guarded(work: () => Promise<Envelope>): Promise<Envelope> {
  try {
    return await work();
  } catch (error) {
    return failure(error, undefined);
  }
}

async function carryOut(agent: Agent, request: JolokiaRequest): Promise<Envelope> {
  try {
    const value = await valueOf(agent, request);
    return { request: request.echo, value, timestamp: agent.now, status: 200 };
  } catch (error) {
    return failure(error, request);
  }
}

/** The policy allows read, list, search and version. */
async function valueOf(agent: Agent, request: JolokiaRequest): Promise<AttributeValue> {
  if (request.isProxied) throw new JolokiaFailure("forbidden", "Requests to other servers are not passed on");
  switch (request.type) {
    case "read":
      return read(agent.beans, request);
    case "list":
      return list(agent.beans, request);
    case "search": {
      const matches = nameMatcher(request.name);
      const found = agent.beans.all().filter(([, bean]) => matches(bean.name));
      return found.map(([, bean]) => nameText(bean.name, request.options));
    }
    case "version": {
      const config = Object.entries(defaultOptions).map(([name, value]) => [name, String(value)]);
      const info = { product: "census", vendor: "Census", version: agent.version };
      return { ...PROTOCOL, config: Object.fromEntries(config) as Record<string, string>, info };
    }
    case "exec": {
      const message = `Operation ${request.operation} forbidden for MBean ${canonicalName(request.name)}`;
      throw new JolokiaFailure("forbidden", message);
    }
    case "write": {
      const message = `Writing attribute ${request.attribute} forbidden for MBean ${canonicalName(request.name)}`;
      throw new JolokiaFailure("forbidden", message);
    }
  }
}

/** @throws defects, which are not failures of the request */
function failure(error: unknown, request: JolokiaRequest | undefined): Envelope {
  if (!(error instanceof JolokiaFailure)) throw error;
  const { className, message, status } = error;
  return {
    ...(request === undefined ? {} : { request: request.echo }),
    // Report what went wrong, not where in the code.
    ...(request?.options.includeStackTrace === true ? { stacktrace: `${className}: ${message}\n` } : {}),
    ...(request?.options.serializeException === true
      ? { error_value: { message, localizedMessage: message, cause: null, stackTrace: [], suppressed: [] } }
      : {}),
    error_type: className,
    error: `${className} : ${message}`,
    status,
  };
}
