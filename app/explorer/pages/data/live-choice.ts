import { signal } from "@preact/signals";
import { oneOf } from "../address/codecs.ts";

const KEY = "census.live";

/** What was chosen in this browser. */
function storedFollowing(): "on" | "off" {
  try {
    return localStorage.getItem(KEY) === "off" ? "off" : "on";
  } catch {
    return "on";
  }
}

/** The choice in the address. */
export const liveCodec = oneOf(["on", "off"], storedFollowing());

/** Whether pages follow the store, or wait until the user refreshes. */
export const following = signal(liveCodec.fallback === "on");

/** Remembers the choice. */
export function storeFollowing(choice: "on" | "off"): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Browsers without storage have it in the address alone.
  }
}
