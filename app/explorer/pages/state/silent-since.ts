import { computed } from "@preact/signals";
import { about } from "../data/about.ts";
import { now } from "../time/clock.ts";

/** Nodes whose latest report is older than this are silent. */
export const silentSince = computed(
  () => new Date(now.value.getTime() - 1000 * (about.value?.settings.silentAfter ?? 7200)),
);
