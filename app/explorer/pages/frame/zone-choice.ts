const KEY = "census.zone";

/** The time zone that was chosen in this browser. */
export function storedZone(): "local" | "utc" {
  try {
    return localStorage.getItem(KEY) === "utc" ? "utc" : "local";
  } catch {
    return "local";
  }
}

/** Remembers the time zone. */
export function storeZone(zone: "local" | "utc"): void {
  try {
    localStorage.setItem(KEY, zone);
  } catch {
    // Browsers without storage have it in the address alone.
  }
}
