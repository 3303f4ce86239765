import { type Json, type JsonObject, isObject, parseJson } from "#storage/json.ts";
import type { Pair } from "../query/form-pairs.ts";

/** The parameters of a command, from wherever they came; a repeated one is a list. */
export type CommandParameters = Readonly<Record<string, Json>>;

/**
 * The parameters of the preferred form, from the query string: `_` in a command's name is a space
 * (`reference/commands.md §1.3`).
 */
export function queryParameters(pairs: readonly Pair[]): CommandParameters {
  const parameters: Record<string, Json> = {};
  for (const [name, value] of pairs) {
    const earlier = parameters[name];
    if (earlier === undefined) parameters[name] = value;
    else parameters[name] = Array.isArray(earlier) ? [...earlier, value] : [earlier, value];
  }
  const { command, version } = parameters;
  if (typeof command === "string") parameters["command"] = command.replaceAll("_", " ");
  if (typeof version === "string") parameters["version"] = wholeNumber(version) ?? version;
  return parameters;
}

function wholeNumber(text: string): number | undefined {
  const value = Number(text);
  return /^[+-]?\d+$/.test(text) && Math.abs(value) < 2 ** 31 ? value : undefined;
}

/** The deprecated form's parameters and payload from its body, or the error. */
export interface OldForm {
  readonly parameters: CommandParameters;
  readonly payload: JsonObject | undefined;
  readonly problem: string | undefined;
}

const REQUIRED = ["command", "version", "payload"] as const;

const INTRODUCTION = "Command was submitted without query parameters (old format).";

/**
 * The deprecated form, whose body contains everything. Every other key is a parameter; `certname` is always the
 * payload's (`reference/commands.md §1.3`).
 */
export function readOldForm(body: string): OldForm {
  const { payload, ...others } = parsed(body);
  const given = Object.entries(others).filter(([, value]) => value !== null);
  const certname = isObject(payload ?? null) ? (payload as JsonObject)["certname"] : undefined;
  const parameters: Record<string, Json> = Object.fromEntries(given);
  delete parameters["certname"];
  if (certname !== undefined && certname !== null) parameters["certname"] = certname;
  const all: JsonObject = { ...parameters, payload: payload ?? null };
  if (REQUIRED.some((key) => (all[key] ?? null) === null || all[key] === false)) {
    const problem = `${INTRODUCTION} The request body must be a JSON map with required keys: ${REQUIRED.join(", ")}.`;
    return { parameters, payload: undefined, problem };
  }
  if (payload === undefined || !isObject(payload)) {
    return { parameters, payload: undefined, problem: `${INTRODUCTION} The payload value must be a JSON map.` };
  }
  return { parameters, payload, problem: undefined };
}

/** Anything but a JSON object counts as an empty object. */
function parsed(body: string): JsonObject {
  try {
    const value = parseJson(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
