import type { Settings } from "#app/settings/settings.ts";
import type { StoreOptions } from "#storage/store-options.ts";

type Deciding = Pick<Settings, "retention" | "storesCorrectiveChange" | "factsBlocklist" | "volatileFacts">;

/** The settings that decide what is stored, as a store takes them. */
export function contentSettings({
  retention,
  storesCorrectiveChange,
  factsBlocklist,
  volatileFacts,
}: Deciding): Pick<StoreOptions, keyof Deciding> {
  return { retention, storesCorrectiveChange, factsBlocklist, volatileFacts };
}

/** These settings by their names, as texts: servers that share a log must have the same. */
export function sharedSettings({
  retention: { resourceEventsTtl, historyTtl },
  storesCorrectiveChange,
  factsBlocklist,
  volatileFacts,
}: Deciding): Record<string, string> {
  return {
    "resource-events-ttl": resourceEventsTtl === null ? "none" : `${resourceEventsTtl / 1_000_000n}s`,
    "history-ttl": historyTtl > 0n ? "above 0s" : "0s",
    "store-corrective-change": String(storesCorrectiveChange),
    "facts-blocklist": [...factsBlocklist.names, ...factsBlocklist.patterns.map(String)].sort().join(","),
    "history-volatile-facts": [...volatileFacts].sort().join(","),
  };
}
