import { type Operation, operationNames } from "#storage/lifecycle/operation.ts";
import { cleanEverything, type CleanRequest } from "#storage/lifecycle/request.ts";
import { isExactNumber, isObject, type Json, type JsonObject, numberText, parseJson } from "#storage/json.ts";

/** An operation that `POST /pdb/admin/v1/cmd` requests. */
export type AdminRequest =
  | { readonly command: "clean"; readonly request: CleanRequest }
  | { readonly command: "delete"; readonly certname: string };

/** An error in a body, with PuppetDB's text. */
export interface Refused {
  readonly detail: string;
}

/** Reads a body (`reference/lifecycle.md §7.1`); errors are reported with as few details as in PuppetDB. */
export function readAdminRequest(body: string): AdminRequest | Refused {
  const request = parsed(body);
  if ("detail" in request) return request;
  const { value } = request;
  const command = isObject(value) ? value["command"] : undefined;
  if (command !== "clean" && command !== "delete") {
    return { detail: "Valid commands types are: 'clean' and 'delete'" };
  }
  const payload = payloadOf(value as JsonObject);
  if (payload === undefined) return { detail: "nil" };
  if (command === "clean") {
    const request = cleanRequest(payload);
    if (request === undefined) return { detail: "nil" };
    return "detail" in request ? request : { command, request };
  }
  const certname = isObject(payload) && hasOnly(payload, "certname") ? payload["certname"] : undefined;
  return typeof certname === "string" ? { command, certname } : { detail: "nil" };
}

/** An empty text counts as no body rather than as invalid JSON. */
function parsed(body: string): { readonly value: Json } | Refused {
  if (body.trim() === "") return { value: null };
  try {
    return { value: parseJson(body) };
  } catch {
    return { detail: "expected a JSON object with the keys command, version and payload" };
  }
}

function payloadOf(command: JsonObject): Json | undefined {
  return hasOnly(command, "command", "version", "payload") && command["version"] === 1 ? command["payload"] : undefined;
}

function hasOnly(object: JsonObject, ...keys: readonly string[]): boolean {
  return Object.keys(object).length === keys.length && keys.every((key) => Object.hasOwn(object, key));
}

/** If an operation is named twice, the last one counts. */
function cleanRequest(payload: Json): CleanRequest | Refused | undefined {
  if (payload !== null && !Array.isArray(payload)) return undefined;
  if (payload === null || payload.length === 0) return cleanEverything;
  const operations = new Set<Operation>();
  let purgeLimit: number | null = null;
  for (const element of payload) {
    const [name, limit] = Array.isArray(element) ? limited(element) : [element, null];
    if (!isOperation(name) || limit === undefined) return undefined;
    if (limit !== null && limit < 0) return { detail: `batch_limit must be 0 or more, not ${limit}` };
    operations.add(name);
    if (name === "purge_nodes") purgeLimit = limit;
  }
  return { operations, purgeLimit };
}

function isOperation(name: Json | undefined): name is Operation {
  return (operationNames as readonly (Json | undefined)[]).includes(name);
}

/** `["purge_nodes", {"batch_limit": n}]` */
function limited(element: readonly Json[]): [name: Json | undefined, limit: number | undefined] {
  const [name, options] = element;
  if (element.length !== 2 || name !== "purge_nodes" || !isObject(options ?? null)) return [name, undefined];
  const [given, limit] = [options as JsonObject, (options as JsonObject)["batch_limit"]];
  return [name, hasOnly(given, "batch_limit") ? wholeNumber(limit) : undefined];
}

function wholeNumber(value: Json | undefined): number | undefined {
  if (typeof value !== "number" && !isExactNumber(value)) return undefined;
  return /^-?\d+$/.test(numberText(value)) ? Number(numberText(value)) : undefined;
}
