import { truth } from "../kinds/simple.ts";
import { type Section, setting } from "../setting.ts";

/** `[developer]` (`reference/config.md §7`). */
export const developer = {
  about: "For those who look at answers themselves.",
  settings: {
    "pretty-print": setting({ kind: truth, default: false, help: "Indent the answer to queries that do not say" }),
  },
  ignored: { "max-enqueued": "the queue lies on the disk and may be as long as that has room" },
} as const satisfies Section;
