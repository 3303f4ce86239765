import { type Json, isObject } from "../json.ts";
import type { Problems } from "./problems.ts";
import type { Kind } from "./shape.ts";

/** What reading a payload takes besides the payload and its version. */
export interface ReadContext {
  /** when the command came in: the time that old formats and commands without one get */
  readonly received: Date;
  readonly problems: Problems;
}

/**
 * Reads a payload that has been upgraded to the newest version.
 * @throws WireError naming everything that does not agree with `format`
 */
export function check<T>(format: Kind<T>, payload: Json, problems: Problems): T {
  const certname = isObject(payload) ? payload["certname"] : undefined;
  if (typeof certname === "string") problems.certname = certname;
  const read = format.read(payload, problems);
  problems.refuseIfAny();
  return read as T;
}
