import type { Site } from "../../api/shapes.ts";
import { about } from "../data/about.ts";
import { useAnswer } from "../data/use-data.ts";

/** What the site shares; undefined until it is known, and where nothing is shared. */
export function useSite(): Site | undefined {
  const isShared = about.value?.settings.site === true;
  return useAnswer("site", isShared ? { name: "Shared by the site" } : undefined).value;
}
