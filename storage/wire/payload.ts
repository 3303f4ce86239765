import { type Json, isObject } from "../json.ts";
import type { Problems } from "./problems.ts";
import type { Kind } from "./shape.ts";

/** What reading a payload needs besides the payload and its version. */
export interface ReadContext {
  /** the time of receipt, used for old formats and commands without a time */
  readonly received: Date;
  readonly problems: Problems;
}

/**
 * Reads a payload that was upgraded to the newest version.
 * @throws WireError that names all deviations from `format`
 */
export function check<T>(format: Kind<T>, payload: Json, problems: Problems): T {
  const certname = isObject(payload) ? payload["certname"] : undefined;
  if (typeof certname === "string") problems.certname = certname;
  const read = format.read(payload, problems);
  problems.throwIfAny();
  return read as T;
}
