import type { H3Event } from "h3";
import { asResponse, jsonAnswer, notFound, textAnswer } from "../http/answers.ts";
import { forbiddenRequest } from "../http/forbidden.ts";
import { nodeRequest, rawTarget } from "../http/request.ts";
import { formPairs } from "../query/form-pairs.ts";
import { type Level, levels, worst } from "../status/levels.ts";
import { serviceNames, type ServiceStatus, type StatusSources, statusOf } from "../status/services.ts";

/** Seconds a service has to tell its status, unless the request says otherwise. */
const DEFAULT_TIMEOUT = 30;

const pattern = /^\/status\/v1\/(?<form>services|simple)(?:\/(?<name>[^/]*))?$/;

/** `/status/v1/**`, by GET alone (`reference/metrics.md §7`). */
export async function answerStatus(sources: StatusSources, event: H3Event): Promise<Response> {
  const request = nodeRequest(event);
  const { path, search } = rawTarget(event);
  if (request.method !== "GET") return asResponse(forbiddenRequest(request, path));
  const { form, name: rawName } = pattern.exec(path)?.groups ?? {};
  if (form === undefined) return notFound();
  const name = rawName === undefined ? undefined : decoded(rawName);
  const isKnown = name === undefined || serviceNames.includes(name);
  if (form === "simple") {
    return isKnown ? answerSimple(sources, name) : textAnswer(`not found: ${name}`, 404);
  }
  const parameters = readParameters(search);
  if ("msg" in parameters) return jsonAnswer({ kind: "data-invalid", msg: parameters.msg }, 400);
  if (!isKnown) {
    return jsonAnswer({ kind: "service-not-found", msg: `No status information found for service ${name}` }, 404);
  }
  const statuses = await statusesOf(sources, name, parameters);
  const status = httpStatus(statuses);
  const [only] = statuses;
  if (name === undefined || only === undefined) return jsonAnswer(Object.fromEntries(statuses), status);
  return jsonAnswer({ ...only[1], service_name: name }, status);
}

async function answerSimple(sources: StatusSources, name: string | undefined): Promise<Response> {
  const statuses = await statusesOf(sources, name, { level: "critical", timeout: DEFAULT_TIMEOUT });
  return textAnswer(worst(statuses.map(([, { state }]) => state)), httpStatus(statuses));
}

type NamedStatus = readonly [name: string, status: ServiceStatus];

async function statusesOf(
  sources: StatusSources,
  name: string | undefined,
  { level, timeout }: StatusParameters,
): Promise<NamedStatus[]> {
  const names = name === undefined ? serviceNames : [name];
  return Promise.all(names.map(async (each) => [each, await statusOf(sources, each, level, timeout)] as const));
}

function httpStatus(statuses: readonly NamedStatus[]): number {
  return statuses.every(([, { state }]) => state === "running") ? 200 : 503;
}

interface StatusParameters {
  readonly level: Level;
  /** seconds */
  readonly timeout: number;
}

function readParameters(search: string): StatusParameters | { readonly msg: string } {
  const given = new Map([...formPairs(search)].reverse());
  const level = given.get("level") ?? "info";
  const known = levels.find((each) => each === level);
  if (known === undefined) return { msg: `Invalid level: :${level}` };
  const timeout = given.get("timeout");
  if (timeout === undefined) return { level: known, timeout: DEFAULT_TIMEOUT };
  if (!/^[+-]?\d+$/.test(timeout)) return { msg: `Invalid timeout. Should be an integer but was ${timeout}` };
  if (Number(timeout) <= 0) {
    return { msg: `Invalid timeout. Timeout must be greater than zero but was ${Number(timeout)}` };
  }
  return { level: known, timeout: Number(timeout) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
