import { computed, signal } from "@preact/signals";
import { type Codec, oneOf } from "../address/codecs.ts";
import { choice, stored } from "./stored.ts";

/** Whether to follow the store, as it was chosen in this browser. */
export const storedFollowing = stored("live", choice(["on", "off"]));

/** The time zone that was chosen in this browser. */
export const storedZone = stored("zone", choice(["local", "utc"]));

/** That choice in the address. */
export const zoneCodec = oneOf(["local", "utc"], storedZone.read());

/** The choice in the address. */
export const liveCodec = oneOf(["on", "off"], storedFollowing.read());

/** Whether pages follow the store, or wait until the user refreshes. */
export const following = signal(liveCodec.fallback === "on");

/** The time in the address, ISO 8601 in UTC; undefined: the present. */
export const chosenTime = signal<string | undefined>(undefined);

/** The times whose state the server can return, ISO 8601 in UTC. */
export interface KnownTimes {
  /** Undefined: no changes are recorded. */
  readonly earliest: string | undefined;
  readonly now: string;
}

/** Undefined until the server has said it. */
export const knownTimes = signal<KnownTimes | undefined>(undefined);

/** The time whose state the pages show; undefined: the present. */
export const asOf = computed<string | undefined>(() => recordedTime(chosenTime.value));

/** The time whose state is shown for a chosen one: before the history begins, the earliest; undefined: the present. */
export function recordedTime(chosen: string | undefined): string | undefined {
  const known = knownTimes.value;
  if (chosen === undefined || known?.earliest === undefined || chosen > known.now) return undefined;
  return chosen < known.earliest ? known.earliest : chosen;
}

/** A time as it is in the address and in requests: to the second, unless it is more exact. */
export function timeText(time: Date): string {
  return time.toISOString().replace(".000Z", "Z");
}

/** A time in the address, ISO 8601 in UTC; empty without one. */
export const timeCodec: Codec<string> = {
  read: ([text = ""]) => {
    const time = new Date(text);
    return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
  },
  write: (time) => (time === "" ? [] : [timeText(new Date(time))]),
  fallback: "",
};

/** The time of an address; undefined when it has none, or one that is invalid. */
export function chosenIn(search: string): string | undefined {
  return timeCodec.read(new URLSearchParams(search).getAll("as_of"));
}

/** What has a state of the past: all queries, but neither status nor settings. */
const ofPast =
  /^\/(?:pdb\/query\/v4|explorer\/api\/v1\/(?:differences|facets|histogram|issues|rows|run-times|search|sql))(?:\/|$)/;

/** The parameter that a request to a path needs for the state that the pages show. */
export function asOfParameter(path: string): { readonly as_of?: string } {
  const time = asOf.peek();
  return time === undefined || !ofPast.test(path) ? {} : { as_of: time };
}
