import { oneOf } from "../address/codecs.ts";

const KEY = "census.zone";

/** The time zone that was chosen in this browser. */
function storedZone(): "local" | "utc" {
  try {
    return localStorage.getItem(KEY) === "utc" ? "utc" : "local";
  } catch {
    return "local";
  }
}

/** The choice in the address. */
export const zoneCodec = oneOf(["local", "utc"], storedZone());

/** Remembers the time zone. */
export function storeZone(zone: "local" | "utc"): void {
  try {
    localStorage.setItem(KEY, zone);
  } catch {
    // Browsers without storage have it in the address alone.
  }
}
