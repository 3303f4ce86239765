import { computed } from "@preact/signals";
import { about } from "../data/about.ts";
import { asOf } from "../data/as-of.ts";

/**
 * The present time of the data: the past one whose state is shown, that of an opened archive, or the server's time when the data shown were fetched. It does not
 * tick, so that queries stay the same until the page is refreshed.
 */
export const now = computed<Date>(() => new Date(asOf.value ?? about.value?.now ?? Date.now()));
