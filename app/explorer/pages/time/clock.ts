import { computed } from "@preact/signals";
import { about } from "../data/about.ts";

/**
 * The present time of the data: that of an opened archive, or the server's time when the data shown were fetched. It does not
 * tick, so that queries stay the same until the page is refreshed.
 */
export const now = computed<Date>(() => new Date(about.value?.now ?? Date.now()));
