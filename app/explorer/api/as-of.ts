import type { Store, StoreState } from "#storage/store.ts";
import type { Timestamp } from "#storage/time.ts";
import { moment } from "../../query/conversions.ts";
import type { DescribedParameter } from "./described.ts";
import { type Given, single } from "./given.ts";

/** The parameter of every endpoint that can return a past state. */
export const asOfParameter: DescribedParameter = {
  name: "as_of",
  description: "The time whose state is returned, as far as the history goes; default: now",
  schema: { type: "string", format: "date-time" },
  example: "2026-11-20T12:00:00Z",
};

/** The state that a request reads. */
export interface RequestedState extends StoreState {
  /** Its time; undefined: the present one. */
  readonly asOf: Timestamp | undefined;
  /** For the keys of cached answers. */
  readonly key: string;
}

/**
 * The state that a request reads: that of `as_of`, by default the present one.
 * @throws CensusError "bad-input" when it is no time, or one whose state is not known
 */
export async function requestedState(given: Given, store: Store): Promise<RequestedState> {
  const asOf = readAsOf(given);
  const { queries, issues, traits, clock } = await store.stateAt(asOf);
  return { queries, issues, traits, clock, asOf, key: asOf === undefined ? "" : ` as of ${asOf}` };
}

/** @throws CensusError "bad-input" when it is no time */
export function readAsOf(given: Given): Timestamp | undefined {
  const text = single(given, asOfParameter.name);
  return text === undefined ? undefined : moment(asOfParameter.name, text);
}
