import { signal } from "@preact/signals";
import { oneOf } from "../address/codecs.ts";
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
